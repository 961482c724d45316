/* Events for the host page, from one state of the call to the next. Pure. */
import { deviceWords } from '../call/devices/device-problems.ts';
import { nameOf, refusalWords } from '../call/texts/refusals.ts';
import { isInCall, isKept, type Line, type RoomState } from '../call/state/call-state.ts';
import type { TroupeAgentEvents, TroupeAgentState, TroupeLine } from './public-types.ts';

type Events = {
  [Name in keyof TroupeAgentEvents]: { name: Name; detail: TroupeAgentEvents[Name] };
}[keyof TroupeAgentEvents];

export function stateOf({ phase }: RoomState): TroupeAgentState {
  switch (phase.type) {
    case 'looking':
      return 'loading';
    case 'lobby':
      return 'ready';
    case 'live':
      return phase.presence === 'here' ? 'live' : 'reconnecting';
    case 'over':
      return 'ended';
    case 'refused':
      return 'failed';
    case 'connecting':
    case 'waiting':
      return phase.type;
  }
}

export function eventsBetween(
  before: RoomState,
  after: RoomState,
  callId: string | null,
): Events[] {
  const events: Events[] = [];
  const [previous, state] = [stateOf(before), stateOf(after)];
  if (state !== previous) events.push({ name: 'troupe-state', detail: { state, previous } });
  events.push(...ofPhase(before, after, callId), ...ofDevices(before, after));
  if (isInCall(after.phase)) {
    const said = finished(after.lines).filter(({ id }) => !isFinished(before.lines, id));
    events.push(...said.map((line) => ({ name: 'troupe-message', detail: toLine(line) }) as const));
  }
  return events;
}

function ofPhase(before: RoomState, after: RoomState, callId: string | null): Events[] {
  const { phase } = after;
  if (phase.type === before.phase.type) return [];
  switch (phase.type) {
    case 'lobby': {
      const { name, language } = phase.agent;
      const isFirst = before.phase.type === 'looking';
      return isFirst ? [{ name: 'troupe-ready', detail: { name, language } }] : [];
    }
    case 'live': {
      const isReturn = before.phase.type === 'connecting' && before.phase.isReturn;
      return [{ name: 'troupe-call-started', detail: { callId, isReturn } }];
    }
    case 'over': {
      const { reason } = phase;
      const transcript = after.lines.map(toLine);
      return [{ name: 'troupe-call-ended', detail: { callId, reason, transcript } }];
    }
    case 'refused': {
      const message = refusalWords[phase.why](nameOf(phase.agent)).join('. ');
      return [{ name: 'troupe-error', detail: { code: phase.why, message } }];
    }
    case 'looking':
    case 'connecting':
    case 'waiting':
      return [];
  }
}

const ofDevices = (before: RoomState, after: RoomState): Events[] =>
  (['microphone', 'camera'] as const).flatMap((code) => {
    const { problem } = after.devices[code];
    if (!problem || problem === before.devices[code].problem) return [];
    return [{ name: 'troupe-error', detail: { code, message: deviceWords(code, problem) } }];
  });

const finished = (lines: Line[]): Line[] => lines.filter((line) => line.isFinal && !isKept(line));
const isFinished = (lines: Line[], id: string): boolean =>
  finished(lines).some((line) => line.id === id);
const toLine = ({ sender, text }: Line): TroupeLine => ({ sender, text });
