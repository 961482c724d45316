/*
 * Pure state machine of the user's speech in a call. `listener.ts` feeds it and runs its effects.
 *
 * quiet     nobody speaks                        -> speaking when a voice begins
 * speaking  a voice, with gaps below `pauseMs`   -> paused after a longer gap
 * paused    the speech so far is examined        -> speaking when it goes on; quiet when the turn
 *                                                   is committed, or was no turn
 *
 * Speech that begins while the agent speaks or thinks does not have the floor: it gets it by an
 * interruption, or when the agent falls silent. All times are milliseconds of the user's audio.
 */
import { interrupts, type OverlapKind } from './overlap.ts';
import type { SentenceEnd } from './sentence-end.ts';
import type { TurnSettings } from './turn-settings.ts';

type Speech = {
  startedAt: number;
  lastVoiceAt: number;
  /** Text of the audio before `from`. */
  earlierText: string;
  from: number;
  hasFloor: boolean;
  beganOverAgent: boolean;
  anticipations: number;
};

/** Examination of the speech up to a pause. Null: not known yet. */
type Pause = {
  id: number;
  text: string | null;
  kind: OverlapKind;
  end: SentenceEnd;
  /** Of the end of the turn; `unknown`: there is no model, or it failed. */
  probability: number | 'unknown' | null;
  isTranscribing: boolean;
  hasAnticipated: boolean;
  /** The microphone was muted: nothing follows. */
  isFinal: boolean;
};

export type TurnState =
  | { type: 'quiet'; onsetAt: number | null; aside: Aside | null }
  | { type: 'speaking'; speech: Speech; checkedAt: number }
  | { type: 'paused'; speech: Speech; pause: Pause; onsetAt: number | null };

/** Said over the agent without interrupting it. */
type Aside = { text: string; startedAt: number; lastVoiceAt: number };

export type TurnEvent =
  | { type: 'audio'; at: number; probability: number }
  | {
      type: 'transcribed';
      id: number;
      at: number;
      text: string;
      kind: OverlapKind;
      end: SentenceEnd;
    }
  | { type: 'judged'; id: number; at: number; probability: number | 'unknown' }
  | { type: 'muted'; at: number }
  /** `isQuestion`: its last sentence is one. */
  | { type: 'agent_silent'; at: number; isQuestion: boolean };

export type TurnEffect =
  /** Answered by `transcribed` with the same id. `goesOn`: the user has not paused. */
  | { type: 'transcribe'; id: number; from: number; to: number; goesOn: boolean }
  /** Answered by `judged` with the same id. */
  | { type: 'judge_end'; id: number; to: number }
  | { type: 'interrupt' }
  /** The answer to this text will probably be wanted. */
  | { type: 'anticipate'; text: string }
  | { type: 'retract' }
  | {
      type: 'commit';
      text: string;
      startedAt: number;
      stoppedAt: number;
      /** It only told the agent to be quiet. */
      isCommand: boolean;
    };

export type TurnContext = {
  settings: TurnSettings;
  isAgentActive: boolean;
  /** The microphone picks up what the agent is saying. */
  hasEcho: boolean;
};

type Step = { state: TurnState; effects: TurnEffect[] };

export const QUIET: TurnState = { type: 'quiet', onsetAt: null, aside: null };

/** Probability of voice activity at which speech begins and goes on. */
const VOICE = 0.5;
/** Shorter sounds are no speech. */
const ONSET_MS = 64;
/** Sound kept from before the onset: the first consonants are quiet. */
const LEAD_MS = 320;
/** Less where it is the agent's echo. */
const ECHO_LEAD_MS = 128;
/** An examined text is final when the pause after it was this long, or the audio is this long. */
const SEAL_PAUSE_MS = 400;
const SEAL_AUDIO_MS = 6_000;
/** Longer speech without a pause is examined anyway, and the audio before it is forgotten. */
const LONGEST_MS = 25_000;
/** A pause with no words in the speech before it. */
const NO_WORDS_MS = 500;
/** How long an aside can still become the answer to the agent's question. */
const ASIDE_MS = 1_500;
const MOST_ANTICIPATIONS = 3;
/** Probability at which the sound of the voice says that the turn is over. */
const LIKELY = 0.5;
/** The same where the words leave it open. */
const SURE = 0.97;

const stay = (state: TurnState): Step => ({ state, effects: [] });

export function advance(state: TurnState, event: TurnEvent, context: TurnContext): Step {
  switch (state.type) {
    case 'quiet':
      return inQuiet(state, event, context);
    case 'speaking':
      return inSpeech(state, event, context);
    case 'paused':
      return inPause(state, event, context);
  }
}

type Quiet = Extract<TurnState, { type: 'quiet' }>;
type Speaking = Extract<TurnState, { type: 'speaking' }>;
type Paused = Extract<TurnState, { type: 'paused' }>;

function inQuiet(state: Quiet, event: TurnEvent, { isAgentActive, hasEcho }: TurnContext): Step {
  if (event.type === 'agent_silent') return answeredEarly(state, event);
  if (event.type !== 'audio') return stay(state);
  const { at, probability } = event;
  if (probability < VOICE) return stay({ ...state, onsetAt: null });
  const onsetAt = state.onsetAt ?? at;
  if (at - onsetAt < ONSET_MS) return stay({ ...state, onsetAt });
  const speech: Speech = {
    startedAt: onsetAt,
    lastVoiceAt: at,
    earlierText: '',
    from: Math.max(0, onsetAt - (hasEcho ? ECHO_LEAD_MS : LEAD_MS)),
    hasFloor: !isAgentActive,
    beganOverAgent: isAgentActive,
    anticipations: 0,
  };
  return stay({ type: 'speaking', speech, checkedAt: onsetAt });
}

/** A "yes" over the end of the agent's question answers it. */
function answeredEarly(
  state: Quiet,
  { at, isQuestion }: { at: number; isQuestion: boolean },
): Step {
  const { aside } = state;
  if (!aside || !isQuestion || at - aside.lastVoiceAt > ASIDE_MS)
    return stay({ ...state, aside: null });
  const { text, startedAt, lastVoiceAt: stoppedAt } = aside;
  return {
    state: QUIET,
    effects: [{ type: 'commit', text, startedAt, stoppedAt, isCommand: false }],
  };
}

function inSpeech(state: Speaking, event: TurnEvent, context: TurnContext): Step {
  const { speech } = state;
  switch (event.type) {
    case 'audio':
      return goOn(state, event, context);
    case 'transcribed':
      if (speech.hasFloor) return stay(state);
      if (event.kind === 'echo') return toQuiet(null);
      return interrupts(event.kind) ? interrupt(state) : stay(state);
    case 'agent_silent':
      return stay({ ...state, speech: { ...speech, hasFloor: true } });
    case 'muted':
      return pauseAt(state, event.at, context, true);
    case 'judged':
      return stay(state);
  }
}

function goOn(
  state: Speaking,
  { at, probability }: { at: number; probability: number },
  context: TurnContext,
): Step {
  const { settings } = context;
  const lastVoiceAt = probability >= VOICE ? at : state.speech.lastVoiceAt;
  const speech = { ...state.speech, lastVoiceAt };
  const next: Speaking = { ...state, speech };
  const pauseMs = speech.hasFloor ? settings.pauseMs : settings.overAgentPauseMs;
  if (at - lastVoiceAt >= pauseMs || at - speech.from >= LONGEST_MS)
    return pauseAt(next, at, context, false);
  if (!speech.hasFloor && lastVoiceAt - speech.startedAt >= settings.interruptAfterMs)
    return interrupt(next);
  const audioMs = at - speech.from;
  // Rarer as the speech grows, so that the work does not grow with its square.
  const checkAfterMs = speech.hasFloor
    ? settings.interimEveryMs
    : Math.max(settings.checkEveryMs, audioMs / 2);
  const isTooLong = speech.hasFloor && audioMs > settings.interimMaxMs;
  if (!settings.transcribesEarly || isTooLong || at - state.checkedAt < checkAfterMs)
    return stay(next);
  return {
    state: { ...next, checkedAt: at },
    effects: [{ type: 'transcribe', id: at, from: speech.from, to: at, goesOn: true }],
  };
}

function interrupt(state: Speaking): Step {
  const speech = { ...state.speech, hasFloor: true };
  return { state: { ...state, speech }, effects: [{ type: 'interrupt' }] };
}

function pauseAt(
  { speech }: Speaking,
  at: number,
  { settings }: TurnContext,
  isFinal: boolean,
): Step {
  const isTranscribing = settings.transcribesEarly || !speech.hasFloor || isFinal;
  const pause: Pause = {
    id: at,
    text: null,
    kind: 'nothing',
    end: 'unclear',
    probability: null,
    isTranscribing,
    hasAnticipated: false,
    isFinal,
  };
  return {
    state: { type: 'paused', speech, pause, onsetAt: null },
    effects: [
      ...(isTranscribing ? [transcription(speech, at)] : []),
      { type: 'judge_end', id: at, to: at },
    ],
  };
}

const transcription = ({ from }: Speech, at: number): TurnEffect => ({
  type: 'transcribe',
  id: at,
  from,
  to: at,
  goesOn: false,
});

function inPause(state: Paused, event: TurnEvent, context: TurnContext): Step {
  const { speech, pause } = state;
  switch (event.type) {
    case 'audio': {
      const { at, probability } = event;
      if (probability < VOICE) return decide({ ...state, onsetAt: null }, at, context);
      const onsetAt = state.onsetAt ?? at;
      if (at - onsetAt < ONSET_MS) return stay({ ...state, onsetAt });
      // Speech without a pause waits for its text: else each window would be transcribed again.
      if (pause.text === null && at - speech.from >= LONGEST_MS)
        return stay({ ...state, onsetAt, speech: { ...speech, lastVoiceAt: at } });
      return resume(state, onsetAt, at);
    }
    case 'transcribed': {
      if (event.id !== pause.id) return stay(state);
      const { text, kind, end, at } = event;
      return decide({ ...state, pause: { ...pause, text, kind, end } }, at, context);
    }
    case 'judged': {
      if (event.id !== pause.id) return stay(state);
      const { probability } = event;
      return decide({ ...state, pause: { ...pause, probability } }, event.at, context);
    }
    case 'muted':
      return decide({ ...state, pause: { ...pause, isFinal: true } }, event.at, context);
    case 'agent_silent':
      return decide({ ...state, speech: { ...speech, hasFloor: true } }, event.at, context);
  }
}

function resume({ speech, pause }: Paused, onsetAt: number, at: number): Step {
  const { text } = pause;
  const isSealed =
    text !== null &&
    (onsetAt - speech.lastVoiceAt >= SEAL_PAUSE_MS || pause.id - speech.from >= SEAL_AUDIO_MS);
  const resumed: Speech = {
    ...speech,
    lastVoiceAt: at,
    ...(isSealed && {
      earlierText: joined(speech.earlierText, text),
      from: Math.max(pause.id, onsetAt - LEAD_MS),
    }),
  };
  return {
    state: { type: 'speaking', speech: resumed, checkedAt: at },
    effects: pause.hasAnticipated ? [{ type: 'retract' }] : [],
  };
}

function decide(state: Paused, at: number, context: TurnContext): Step {
  const { speech, pause } = state;
  const pausedMs = at - speech.lastVoiceAt;
  if (pause.text === null) return awaitText(state, pausedMs, context);
  const text = joined(speech.earlierText, pause.text);
  if (!speech.hasFloor) return overAgent(state, text, at, context);
  if (text === '') return pausedMs >= NO_WORDS_MS || pause.isFinal ? toQuiet(null) : stay(state);
  const isPaused = pausedMs >= waitMs(pause, context.settings);
  if (pause.isFinal || (pause.probability !== null && isPaused))
    return commit(speech, text, speech.beganOverAgent && pause.kind === 'command');
  // Finished words are probably the last ones, so the model need not wait for the judgement.
  const isProbable = pause.end === 'finished' || pause.probability !== null;
  if (!isProbable || pause.hasAnticipated || speech.anticipations >= MOST_ANTICIPATIONS)
    return stay(state);
  return {
    state: {
      ...state,
      speech: { ...speech, anticipations: speech.anticipations + 1 },
      pause: { ...pause, hasAnticipated: true },
    },
    effects: [{ type: 'anticipate', text }],
  };
}

/** A recogniser that costs money is asked when the turn is probably over. */
function awaitText(state: Paused, pausedMs: number, { settings }: TurnContext): Step {
  const { speech, pause } = state;
  const { probability } = pause;
  const isProbablyOver =
    probability === 'unknown' ? pausedMs >= settings.finishedMs : (probability ?? 0) >= LIKELY;
  const isDue = pause.isFinal || isProbablyOver || pausedMs >= settings.transcribeAfterMs;
  if (pause.isTranscribing || !isDue) return stay(state);
  return {
    state: { ...state, pause: { ...pause, isTranscribing: true } },
    effects: [transcription(speech, pause.id)],
  };
}

function overAgent(state: Paused, text: string, at: number, context: TurnContext): Step {
  const { speech, pause } = state;
  if (interrupts(pause.kind)) {
    const heard = decide({ ...state, speech: { ...speech, hasFloor: true } }, at, context);
    return { ...heard, effects: [{ type: 'interrupt' }, ...heard.effects] };
  }
  if (at - speech.lastVoiceAt < NO_WORDS_MS && !pause.isFinal) return stay(state);
  const { startedAt, lastVoiceAt } = speech;
  return toQuiet(pause.kind === 'backchannel' ? { text, startedAt, lastVoiceAt } : null);
}

const toQuiet = (aside: Aside | null): Step => stay({ type: 'quiet', onsetAt: null, aside });

const commit = (
  { startedAt, lastVoiceAt: stoppedAt }: Speech,
  text: string,
  isCommand: boolean,
): Step => ({
  state: QUIET,
  effects: [{ type: 'commit', text, startedAt, stoppedAt, isCommand }],
});

/** Silence before the turn counts as over. */
function waitMs({ probability, end }: Pause, settings: TurnSettings): number {
  const { finishedMs, sureMs, probableMs, doubtfulMs, unknownMs, unfinishedMs } = settings;
  const isUnknown = probability === 'unknown' || probability === null;
  const isLikely = !isUnknown && probability >= LIKELY;
  switch (end) {
    case 'finished':
      if (isUnknown) return unknownMs;
      return isLikely ? finishedMs : doubtfulMs;
    case 'unclear':
      if (isLikely && probability >= SURE) return sureMs;
      return isLikely || isUnknown ? probableMs : unfinishedMs;
    case 'unfinished':
      return unfinishedMs;
  }
}

export const joined = (...texts: string[]): string => texts.filter(Boolean).join(' ');
