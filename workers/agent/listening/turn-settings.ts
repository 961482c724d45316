import type { TurnTaking } from '#protocol/voice/turn-taking.ts';

/** All in milliseconds. */
export type TurnSettings = {
  /** Silence after which the speech so far is examined, and speech over the agent. */
  pauseMs: number;
  overAgentPauseMs: number;
  /**
   * Silence before an answer, when voice and words say that the turn is over; when the words may go
   * on, and the voice says so surely, or probably; when only the words do; the same without a model
   * for the voice; and when neither does.
   */
  finishedMs: number;
  sureMs: number;
  probableMs: number;
  doubtfulMs: number;
  unknownMs: number;
  unfinishedMs: number;
  /** Whether each pause may be transcribed, and speech over the agent before it ends. */
  transcribesEarly: boolean;
  /** Otherwise a pause this long is. */
  transcribeAfterMs: number;
  /** Interval for the transcription of speech over the agent. */
  checkEveryMs: number;
  /** Interval for the transcription of other speech, for captions, and its longest audio. */
  interimEveryMs: number;
  interimMaxMs: number;
  /** Speech over the agent that interrupts whatever it says. */
  interruptAfterMs: number;
};

type Level = TurnTaking['patience'];

const FINISHED_MS: Record<Level, number> = { low: 128, medium: 200, high: 700 };
const SURE_MS: Record<Level, number> = { low: 128, medium: 250, high: 900 };
const PROBABLE_MS: Record<Level, number> = { low: 700, medium: 1_600, high: 2_600 };
const DOUBTFUL_MS: Record<Level, number> = { low: 500, medium: 900, high: 1_800 };
const UNFINISHED_MS: Record<Level, number> = { low: 1_500, medium: 3_000, high: 4_500 };
const UNKNOWN_MS: Record<Level, number> = { low: 500, medium: 800, high: 1_600 };
/** Speech of this length over the agent interrupts it; below, its words decide. */
const INTERRUPT_AFTER_MS: Record<Level, number> = { low: Infinity, medium: Infinity, high: 200 };
/** The same for a recogniser that is asked once for each turn. */
const INTERRUPT_UNHEARD_MS: Record<Level, number> = { low: 2_000, medium: 900, high: 200 };

/** A transcription of the whole speech delays that of its end, the more the longer it is. */
const INTERIMS = {
  streaming: { interimEveryMs: 450, interimMaxMs: Infinity },
  repeated: { interimEveryMs: 900, interimMaxMs: 4_000 },
  none: { interimEveryMs: Infinity, interimMaxMs: 0 },
};

/** `transcribesEarly`: the recogniser is local, so asking it costs nothing but time. */
export function turnSettings(
  { patience, interruptibility }: TurnTaking,
  transcribesEarly: boolean,
  interims: keyof typeof INTERIMS = 'none',
): TurnSettings {
  const interruptAfter = transcribesEarly ? INTERRUPT_AFTER_MS : INTERRUPT_UNHEARD_MS;
  return {
    pauseMs: 64,
    overAgentPauseMs: 128,
    finishedMs: FINISHED_MS[patience],
    sureMs: SURE_MS[patience],
    probableMs: PROBABLE_MS[patience],
    doubtfulMs: DOUBTFUL_MS[patience],
    unfinishedMs: UNFINISHED_MS[patience],
    unknownMs: UNKNOWN_MS[patience],
    transcribesEarly,
    transcribeAfterMs: 500,
    checkEveryMs: 450,
    ...INTERIMS[interims],
    interruptAfterMs: interruptAfter[interruptibility],
  };
}
