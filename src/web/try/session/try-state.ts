/*
 * State machine of the try page. Only `advance` changes the state. Utterances stay until the next
 * avatar is picked.
 *
 * picking     the avatars are shown                     -> connecting on a click
 * connecting  requests a session and joins it           -> live (first picture), over on failure
 * live        the avatar is visible; short losses shown -> over at the end
 * over        shows the reason                          -> connecting, picking
 */
import type { Presence } from '../../call/state/call-state.ts';
import type { Notice } from '../notices.ts';
import type { Avatar, Transport } from '../service.ts';

type Phase =
  | { type: 'picking' }
  | { type: 'connecting'; avatar: Avatar; step: ConnectStep }
  | { type: 'live'; avatar: Avatar; firstPictureMs: number; presence: Presence }
  | { type: 'over'; avatar: Avatar; notice: Notice };

type ConnectStep = 'asking' | 'joining' | 'waiting';

/**
 * waiting   queued behind the previous utterance
 * speaking  the avatar is speaking it
 * said      played to the end
 * cut       interrupted, possibly before its first word
 * failed    could not be synthesised or sent
 */
type UtteranceStatus = 'waiting' | 'speaking' | 'said' | 'cut' | 'failed';

export type Utterance = {
  id: number;
  text: string;
  status: UtteranceStatus;
  /** Sentences synthesised so far. `from` is the start within the utterance in seconds. */
  sentences: { text: string; from: number }[];
  seconds: number;
  heardSeconds: number;
};

/** A message between agent and avatar. */
type WireLine = { id: number; atMs: number; from: 'agent' | 'avatar'; text: string };

export type TryState = {
  phase: Phase;
  /** Transport of the current session, or else the last one chosen. */
  transport: Transport;
  sessionId: string | null;
  isSoundBlocked: boolean;
  utterances: Utterance[];
  wire: WireLine[];
};

export type TryEvent =
  | { type: 'picked'; avatar: Avatar; transport: Transport }
  | { type: 'opened'; sessionId: string }
  | { type: 'joined' }
  | { type: 'picture'; afterMs: number }
  | { type: 'presence'; presence: Presence }
  | { type: 'sound_blocked'; isBlocked: boolean }
  | { type: 'typed'; id: number; text: string }
  | { type: 'synthesised'; id: number; text: string; seconds: number }
  | { type: 'started'; id: number }
  | { type: 'finished'; id: number; heardSeconds: number; isInterrupted: boolean }
  | { type: 'not_spoken'; id: number; isFailed: boolean }
  | { type: 'wire'; line: Omit<WireLine, 'id'> }
  | { type: 'over'; notice: Notice }
  | { type: 'left' };

export const initialState: TryState = {
  phase: { type: 'picking' },
  transport: 'mediaserver',
  sessionId: null,
  isSoundBlocked: false,
  utterances: [],
  wire: [],
};

const WIRE_LINES_KEPT = 60;

export function advance(state: TryState, event: TryEvent): TryState {
  const { phase } = state;
  switch (event.type) {
    case 'picked':
      return {
        ...initialState,
        transport: event.transport,
        phase: { type: 'connecting', avatar: event.avatar, step: 'asking' },
      };
    case 'opened':
      return { ...at(state, 'joining'), sessionId: event.sessionId };
    case 'joined':
      return at(state, 'waiting');
    case 'picture':
      if (phase.type === 'connecting') {
        const { avatar } = phase;
        const firstPictureMs = event.afterMs;
        return { ...state, phase: { type: 'live', avatar, firstPictureMs, presence: 'here' } };
      }
      return present(state, 'here');
    case 'presence':
      return present(state, event.presence);
    case 'sound_blocked':
      return { ...state, isSoundBlocked: event.isBlocked };
    case 'typed':
      return {
        ...state,
        utterances: [...state.utterances, { ...unspoken, id: event.id, text: event.text }],
      };
    case 'synthesised':
      return change(state, event.id, ({ sentences, seconds }) => ({
        sentences: [...sentences, { text: event.text, from: seconds }],
        seconds: seconds + event.seconds,
      }));
    case 'started':
      return change(state, event.id, () => ({ status: 'speaking' }));
    case 'finished':
      return change(state, event.id, () => ({
        status: event.isInterrupted ? 'cut' : 'said',
        heardSeconds: event.heardSeconds,
      }));
    case 'not_spoken':
      return change(state, event.id, () => ({ status: event.isFailed ? 'failed' : 'cut' }));
    case 'wire': {
      const id = (state.wire.at(-1)?.id ?? 0) + 1;
      return { ...state, wire: [...state.wire, { ...event.line, id }].slice(-WIRE_LINES_KEPT) };
    }
    case 'over':
      if (phase.type !== 'connecting' && phase.type !== 'live') return state;
      return {
        ...state,
        phase: { type: 'over', avatar: phase.avatar, notice: event.notice },
        isSoundBlocked: false,
        utterances: state.utterances.map((utterance) =>
          isPending(utterance) ? { ...utterance, status: 'cut' } : utterance,
        ),
      };
    case 'left':
      return { ...initialState, transport: state.transport };
  }
}

export const isPending = ({ status }: Utterance): boolean =>
  status === 'waiting' || status === 'speaking';

/** The sentence spoken `seconds` after the utterance started. */
export const sentenceAt = ({ sentences }: Utterance, seconds: number): string =>
  sentences.findLast(({ from }) => from <= seconds)?.text ?? '';

const unspoken = {
  status: 'waiting' as UtteranceStatus,
  sentences: [],
  seconds: 0,
  heardSeconds: 0,
};

const at = (state: TryState, step: ConnectStep): TryState =>
  state.phase.type === 'connecting' ? { ...state, phase: { ...state.phase, step } } : state;

const present = (state: TryState, presence: Presence): TryState =>
  state.phase.type === 'live' ? { ...state, phase: { ...state.phase, presence } } : state;

/** Ignores late reports about finished utterances. */
function change(
  state: TryState,
  id: number,
  how: (utterance: Utterance) => Partial<Utterance>,
): TryState {
  return {
    ...state,
    utterances: state.utterances.map((utterance) =>
      utterance.id === id && isPending(utterance) ? { ...utterance, ...how(utterance) } : utterance,
    ),
  };
}
