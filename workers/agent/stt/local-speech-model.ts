import type { Recognizer } from './recognizer-program.ts';

/** A speech model of this worker. */
export interface LocalSpeechModel extends Recognizer {
  /** ISO 639-1. Null: unknown, so it serves agents of all languages. */
  readonly languages: readonly string[] | null;
  /**
   * How it transcribes speech that goes on: `streaming` at the cost of what is new, `repeated` at
   * that of the whole. Null: too slow for that.
   */
  readonly interims: 'streaming' | 'repeated' | null;
  readonly state: 'pending' | SpeechModelVerdict;
  readonly whenDecided: Promise<SpeechModelVerdict>;
  /** Probability that speech, at 16 kHz, is the end of a turn. Null: it has no model for that. */
  readonly endOfTurn: ((samples: Int16Array<ArrayBuffer>) => Promise<number>) | null;
  /** A call will use it. */
  prepare?(): void;
  close(): void;
}

/** `too_slow`: for this machine, for good. */
export type SpeechModelVerdict = 'ready' | 'too_slow';
