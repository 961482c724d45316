/*
 * State machine of a call on the room page and in the embed. Only `advance` changes the state.
 *
 * looking     loads the agent and a saved call               -> lobby, connecting, refused
 * lobby       the person gets ready                          -> connecting on Join
 * connecting  requests or restores a call and joins it       -> waiting, live, over, refused
 * waiting     no avatar is free; retries                     -> connecting, refused, lobby (cancel)
 * live        the agent is visible; short losses are shown   -> over
 * over        shows the reason and the transcript            -> lobby
 * refused     shows why there is no call                     -> looking on retry
 */
import type { IgnoreReason } from '#protocol/room-terms.ts';
import type { Agent, CallCredentials, TranscriptLine } from '../connection/chat-service.ts';

type ConnectStep = 'asking' | 'joining' | 'coming';
/** `away`: agent or face is being recovered. `rejoining`: this browser lost the media server. */
export type Presence = 'here' | 'away' | 'rejoining';
/** `full`: limit of the owner's plan. `too_often`: rate limit of this address. */
export type RefusalReason =
  | 'not_found'
  | 'private'
  | 'full'
  | 'too_often'
  | 'used_up'
  | 'unreachable'
  | 'not_allowed'
  | 'no_media'
  | 'failed';

export type Phase =
  | { type: 'looking' }
  | { type: 'lobby'; agent: Agent }
  | { type: 'connecting'; agent: Agent; step: ConnectStep; isReturn: boolean }
  /** `position`: in line, from 1; null: not known. */
  | {
      type: 'waiting';
      agent: Agent;
      tries: number;
      retryInSeconds: number;
      position: number | null;
    }
  | { type: 'live'; agent: Agent; presence: Presence }
  /** `reason`: `left`, `elsewhere`, or an end reason of the API. `ratable`: if it was live. */
  | { type: 'over'; agent: Agent; reason: string; ratable: CallCredentials | null }
  | {
      type: 'refused';
      agent: Agent | null;
      why: RefusalReason;
      retryAfterSeconds: number | null;
    };

export type Line = {
  id: string;
  sender: 'ai' | 'user';
  text: string;
  isFinal: boolean;
  /** Typed, and held until the agent reads it. */
  isWaiting?: boolean;
};

/** The agent's own state, by `lk.agent.state`. */
export type Activity = 'listening' | 'thinking' | 'speaking';

export type DeviceKind = 'microphone' | 'camera';
export type DeviceProblem = 'denied' | 'missing' | 'in_use' | 'not_secure' | 'failed';
export type Device = { isOn: boolean; problem: DeviceProblem | null };

export type CallState = {
  phase: Phase;
  /** Ordered by start. */
  lines: Line[];
  /** Typed texts that the last call ended without sending. Empty: none. */
  unsent: string;
  /** Whether the agent understands speech; null: not known yet. */
  hears: boolean | null;
  /** Whether the agent's model gets pictures of the camera in this call; null: not known yet. */
  sees: boolean | null;
  /** Null: unknown, or an activity that the page does not show. */
  activity: Activity | null;
  isSoundBlocked: boolean;
  /** Why the agent ignored the user's last text; null: it did not. */
  ignored: IgnoreReason | null;
  devices: Record<DeviceKind, Device>;
};

export type CallEvent =
  | { type: 'found'; agent: Agent }
  /** The agent has changed. */
  | { type: 'agent'; agent: Agent }
  | { type: 'refused'; why: RefusalReason; retryAfterSeconds?: number | null }
  | { type: 'joins' }
  | { type: 'returns'; lines: TranscriptLine[] }
  | { type: 'busy'; tries: number; retryInSeconds: number; position: number | null }
  | { type: 'given_up' }
  | { type: 'opened' }
  | { type: 'joined' }
  | { type: 'presence'; presence: Presence }
  | { type: 'line'; line: Line }
  /** The service's transcript so far. */
  | { type: 'kept'; lines: TranscriptLine[] }
  | { type: 'ignored'; why: IgnoreReason }
  | { type: 'hears'; hears: boolean }
  | { type: 'sees'; sees: boolean }
  | { type: 'activity'; activity: Activity | null }
  | { type: 'sound_blocked'; isBlocked: boolean }
  | { type: 'device'; kind: DeviceKind; device: Device }
  /** `lines`: the service's transcript; null if unavailable. `call`: absent if it goes on. */
  | { type: 'over'; reason: string; lines: TranscriptLine[] | null; call?: CallCredentials }
  | { type: 'again' };

const off: Device = { isOn: false, problem: null };

const fresh = {
  lines: [],
  unsent: '',
  hears: null,
  sees: null,
  activity: null,
  isSoundBlocked: false,
  ignored: null,
  devices: { microphone: off, camera: off },
};

export const initialState: CallState = { phase: { type: 'looking' }, ...fresh };

export function advance(state: CallState, event: CallEvent): CallState {
  const { phase } = state;
  switch (event.type) {
    case 'found':
      return { ...fresh, unsent: state.unsent, phase: { type: 'lobby', agent: event.agent } };
    case 'agent':
      // A card that is open keeps what a person has typed there.
      if (phase.type === 'looking' || phase.type === 'over' || phase.type === 'refused')
        return state;
      return { ...state, phase: { ...phase, agent: event.agent } };
    case 'refused': {
      const { why, retryAfterSeconds = null } = event;
      return {
        ...withoutWaiting(state),
        devices: fresh.devices,
        phase: { type: 'refused', agent: agentOf(phase), why, retryAfterSeconds },
      };
    }
    case 'joins':
      return connecting({ ...state, unsent: '' }, 'asking');
    case 'returns': {
      const agent = agentOf(phase);
      if (!agent) return state;
      const lines =
        event.lines.length > 0
          ? [...event.lines.map(toLine), ...state.lines.filter(({ isWaiting }) => isWaiting)]
          : state.lines;
      const isLive = phase.type === 'live';
      return {
        ...state,
        lines,
        phase: isLive
          ? { ...phase, presence: 'rejoining' }
          : { type: 'connecting', agent, step: 'joining', isReturn: true },
      };
    }
    case 'busy': {
      const agent = agentOf(phase);
      if (!agent) return state;
      const { tries, retryInSeconds } = event;
      // A service that cannot tell the position for a moment has not forgotten it.
      const position = event.position ?? (phase.type === 'waiting' ? phase.position : null);
      return { ...state, phase: { type: 'waiting', agent, tries, retryInSeconds, position } };
    }
    case 'given_up':
    case 'again': {
      const agent = agentOf(phase);
      const { unsent } = withoutWaiting(state);
      return { ...fresh, unsent, phase: agent ? { type: 'lobby', agent } : { type: 'looking' } };
    }
    case 'opened':
      return connecting(state, 'joining');
    case 'joined':
      return phase.type === 'connecting'
        ? { ...state, phase: { ...phase, step: 'coming' } }
        : state;
    case 'presence':
      return present(state, event.presence);
    case 'line':
      return {
        ...state,
        lines: withLine(state.lines, event.line),
        ignored: isNewOfUser(state.lines, event.line) ? null : state.ignored,
      };
    case 'kept': {
      const newLines = state.lines.filter((line) => !isKept(line));
      return { ...state, lines: [...event.lines.map(toLine), ...newLines] };
    }
    case 'ignored':
      return { ...state, ignored: event.why };
    case 'hears':
      return { ...state, hears: event.hears };
    case 'sees':
      return { ...state, sees: event.sees };
    case 'activity':
      return { ...state, activity: event.activity };
    case 'sound_blocked':
      return { ...state, isSoundBlocked: event.isBlocked };
    case 'device':
      return { ...state, devices: { ...state.devices, [event.kind]: event.device } };
    case 'over': {
      const agent = agentOf(phase);
      if (!agent) return state;
      const storedLines = event.lines?.map(toLine) ?? [];
      const ended = withoutWaiting(state);
      return {
        ...ended,
        isSoundBlocked: false,
        ignored: null,
        devices: fresh.devices,
        lines:
          storedLines.length > 0
            ? storedLines
            : ended.lines.map((line) => ({ ...line, isFinal: true })),
        phase: {
          type: 'over',
          agent,
          reason: event.reason,
          ratable: (phase.type === 'live' && event.call) || null,
        },
      };
    }
  }
}

/** The agent's current or latest line. */
export const captionOf = ({ lines }: CallState): Line | null =>
  lines.findLast(({ sender }) => sender === 'ai') ?? null;

/** The agent's latest complete line, for screen readers: each sentence once. */
export const lastSentence = ({ lines }: CallState): string =>
  lines.findLast(({ sender, isFinal }) => sender === 'ai' && isFinal)?.text ?? '';

/** Whether the page shows the stage. */
export const isInCall = ({ type }: Phase): boolean =>
  type === 'connecting' || type === 'waiting' || type === 'live';

export const agentOf = (phase: Phase): Agent | null =>
  phase.type === 'looking' ? null : phase.agent;

/** An agent that usually sees does not do so in this call. */
export const isBlind = ({ phase, sees }: CallState): boolean =>
  agentOf(phase)?.sees === true && sees === false;

/** Whether the agent gets pictures of a camera that is on. */
export const looksAtCamera = ({ phase, sees }: CallState): boolean =>
  agentOf(phase)?.sees === true && sees !== false;

function connecting(state: CallState, step: ConnectStep): CallState {
  const agent = agentOf(state.phase);
  if (!agent) return state;
  return { ...state, phase: { type: 'connecting', agent, step, isReturn: false } };
}

function present(state: CallState, presence: Presence): CallState {
  const { phase } = state;
  if (phase.type === 'live') return { ...state, phase: { ...phase, presence } };
  // The first picture makes the call live.
  if (phase.type !== 'connecting' || presence !== 'here') return state;
  return { ...state, phase: { type: 'live', agent: phase.agent, presence } };
}

const isNewOfUser = (lines: Line[], { id, sender }: Line): boolean =>
  sender === 'user' && !lines.some((each) => each.id === id);

/** Replaces the line of this id, or appends it. */
export function withLine(lines: Line[], line: Line): Line[] {
  if (!lines.some(({ id }) => id === line.id)) return [...lines, line];
  return lines.map((each) => (each.id === line.id ? line : each));
}

/** Moves texts that wait for the agent to `unsent`. */
function withoutWaiting(state: CallState): CallState {
  const waiting = state.lines.filter(({ isWaiting }) => isWaiting);
  if (waiting.length === 0) return state;
  return {
    ...state,
    lines: state.lines.filter((line) => !waiting.includes(line)),
    unsent: waiting.map(({ text }) => text).join(' '),
  };
}

/** Texts of lines that the service kept. They were shown before, under other ids. */
const KEPT = 'kept ';

export const isKept = ({ id }: Line): boolean => id.startsWith(KEPT);

const toLine = ({ sender, text, saidAt }: TranscriptLine, index: number): Line => ({
  id: `${KEPT}${saidAt} ${index}`,
  sender,
  text,
  isFinal: true,
});
