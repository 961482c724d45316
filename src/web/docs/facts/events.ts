import { EVENT_TYPES, type EventType } from '../../../events/events.ts';
import { RETRY_AFTER_MS } from '../../../events/retries.ts';
import { code, table } from './tables.ts';

const meanings: Record<EventType, string> = {
  'session.started': 'The avatar is in the room.',
  'session.ended': 'The session ended; `end_reason` says why.',
  'session.quality_changed':
    'The worker of a session shows less because it lacks CPU time, or more again. Not repeated after a crash.',
  'call.started': 'A managed agent’s avatar is in the room of its call.',
  'call.ended': 'The call ended. The event contains all its messages.',
  'call.rated':
    'The user of a call said what they think of it, or changed that. It may come before `call.ended`.',
  message: 'The agent or the person said something in a call.',
  'agent.budget_reached':
    'Calls of an agent have used up a budget: which one, its limit, and when it begins again.',
  'avatar.ready': 'Your own avatar is ready to use.',
  test: 'Sent when a webhook is saved, and on request.',
};

export const events = (): string =>
  table(
    ['Event', 'Meaning'],
    EVENT_TYPES.map((type) => [code(type), meanings[type]]),
  );

/** The waits between the attempts of a delivery. */
export const retryTimes = (): string => RETRY_AFTER_MS.map(inWords).join(', ');

function inWords(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${seconds / 60} min` : `${seconds / 3600} h`;
}
