import type { Recognizer } from './recognizer-program.ts';

/** A speech model of this worker. */
export interface LocalSpeechModel extends Recognizer {
  /** Null: unknown, so it serves agents of all languages. */
  readonly language: string | null;
  readonly state: 'pending' | SpeechModelVerdict;
  readonly whenDecided: Promise<SpeechModelVerdict>;
  /** Probability that speech, at 16 kHz, is the end of a turn. Null: it has no model for that. */
  readonly endOfTurn: ((samples: Int16Array<ArrayBuffer>) => Promise<number>) | null;
  close(): void;
}

/** `too_slow`: for this machine, for good. */
export type SpeechModelVerdict = 'ready' | 'too_slow';
