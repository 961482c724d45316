import { type Expression, EXPRESSIONS } from '../../bundle/expressions.ts';

/** Emotion words by expression: those that published plugins send, and synonyms. */
const NAMES: Record<Expression, readonly string[]> = {
  neutral: ['neutral', 'calm', 'none', 'default', 'serious', 'focused', 'bored'],
  warm: [
    'warm',
    'happy',
    'happiness',
    'joy',
    'content',
    'contentment',
    'friendly',
    'love',
    'excited',
    'excitement',
    'hopeful',
    'grateful',
    'proud',
  ],
  concerned: [
    'concerned',
    'sad',
    'sadness',
    'worried',
    'sympathetic',
    'empathetic',
    'fear',
    'afraid',
    'scared',
    'angry',
    'anger',
    'disgusted',
    'confused',
    'apologetic',
  ],
  amused: [
    'amused',
    'amusement',
    'playful',
    'laughing',
    'surprised',
    'surprise',
    'curious',
    'sarcastic',
    'flirtatious',
  ],
};

const byName = new Map(
  EXPRESSIONS.flatMap((expression) => NAMES[expression].map((name) => [name, expression] as const)),
);

/** The expression for an agent's emotion word. Null if unknown. */
export const expressionOf = (emotion: string): Expression | null =>
  byName.get(emotion.trim().toLowerCase()) ?? null;
