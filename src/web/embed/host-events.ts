/* Events for the host page, from one state of the call to the next. Pure. */
import { refusalText } from '../call/texts/refusals.ts';
import type { CallWords } from '../call/words/call-words.ts';
import { isInCall, isKept, type Line, type CallState } from '../call/state/call-state.ts';
import type { TroupeAgentEvents, TroupeAgentState, TroupeLine } from './public-types.ts';

type Events = {
  [Name in keyof TroupeAgentEvents]: { name: Name; detail: TroupeAgentEvents[Name] };
}[keyof TroupeAgentEvents];

export function stateOf({ phase }: CallState): TroupeAgentState {
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
  words: CallWords,
  previous: CallState,
  current: CallState,
  callId: string | null,
): Events[] {
  const events: Events[] = [];
  const detail = { state: stateOf(current), previous: stateOf(previous) };
  if (detail.state !== detail.previous) events.push({ name: 'troupe-state', detail });
  events.push(...ofPhase(words, previous, current, callId), ...ofDevices(words, previous, current));
  if (isInCall(current.phase)) {
    const sentences = finished(current.lines).filter(({ id }) => !isFinished(previous.lines, id));
    events.push(
      ...sentences.map((line) => ({ name: 'troupe-message', detail: toLine(line) }) as const),
    );
  }
  return events;
}

function ofPhase(
  words: CallWords,
  previous: CallState,
  current: CallState,
  callId: string | null,
): Events[] {
  const { phase } = current;
  if (phase.type === previous.phase.type) return [];
  switch (phase.type) {
    case 'lobby': {
      const { name, language } = phase.agent;
      const isFirst = previous.phase.type === 'looking';
      return isFirst ? [{ name: 'troupe-ready', detail: { name, language } }] : [];
    }
    case 'live': {
      const isReturn = previous.phase.type === 'connecting' && previous.phase.isReturn;
      return [{ name: 'troupe-call-started', detail: { callId, isReturn } }];
    }
    case 'over': {
      const { reason } = phase;
      const transcript = current.lines.map(toLine);
      return [{ name: 'troupe-call-ended', detail: { callId, reason, transcript } }];
    }
    case 'refused': {
      const message = refusalText(words, phase).join(words.afterTitle);
      return [{ name: 'troupe-error', detail: { code: phase.why, message } }];
    }
    case 'looking':
    case 'connecting':
    case 'waiting':
      return [];
  }
}

const ofDevices = (words: CallWords, previous: CallState, current: CallState): Events[] =>
  (['microphone', 'camera'] as const).flatMap((code) => {
    const { problem } = current.devices[code];
    if (!problem || problem === previous.devices[code].problem) return [];
    const message = words.deviceProblems[code][problem];
    return [{ name: 'troupe-error', detail: { code, message } }];
  });

const finished = (lines: Line[]): Line[] => lines.filter((line) => line.isFinal && !isKept(line));
const isFinished = (lines: Line[], id: string): boolean =>
  finished(lines).some((line) => line.id === id);
const toLine = ({ sender, text }: Line): TroupeLine => ({ sender, text });
