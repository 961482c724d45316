/* Readers of texts from outside, for the thread that measures them. */
import { recognize } from '#protocol/pictures/picture-kinds.ts';
import { toSentences } from '#protocol/voice/speakable.ts';
import { ReasoningFilter, withoutReasoning } from '#shared/reasoning-filter.ts';
import { joinBrokenWords } from '../../src/knowledge/pdf-text/broken-words.ts';
import { SpokenText } from '../../workers/agent/speech/markup/spoken-text.ts';

export const picture = (text: string) => recognize(Buffer.from(text, 'latin1'));

export const wholeAnswer = (text: string) => withoutReasoning(text);

/** Reasoning within reasoning, and ends of another name. */
export const nestedAnswer = (text: string) =>
  withoutReasoning('<cot>'.repeat(text.length / 8) + text);

export function streamedAnswer(text: string): void {
  const filter = new ReasoningFilter();
  for (const sign of text) filter.push(sign);
  filter.end();
}

/** One delta, which is one line. */
export function spokenLine(text: string): void {
  const reader = new SpokenText();
  reader.push(text);
  reader.end();
}

export const voicedText = (text: string) => toSentences(text);

export const pdfText = (text: string) => joinBrokenWords(text);
