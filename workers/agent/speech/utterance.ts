import type { SpokenSentence } from './heard-text.ts';

/**
 * When the user finished the question, by the clock's `elapsed`, and how long the transcript took.
 */
export type QuestionTiming = { at: number; transcriptMs: number | null };

/**
 * One utterance of the agent, until it was heard or interrupted. Times by the clock's `elapsed`.
 */
export class Utterance {
  /** Null: not an answer. */
  readonly questionTiming: QuestionTiming | null;
  readonly sentences: SpokenSentence[] = [];
  firstTextAt: number | null = null;
  firstSoundAt: number | null = null;
  /** As reported by the avatar. */
  startedAt: number | null = null;
  /** How much was heard; null: not over yet. */
  heardSeconds: number | null = null;
  /** Interrupted before its end. */
  isCut = false;

  constructor(questionTiming: QuestionTiming | null) {
    this.questionTiming = questionTiming;
  }

  get seconds(): number {
    return this.sentences.reduce((sum, { seconds }) => sum + seconds, 0);
  }
}
