import { describe, expect, test } from 'vitest';
import { eventsBetween } from '../../../src/web/embed/host-events.ts';
import { isCommand } from '../../../src/web/embed/frame-messages.ts';
import {
  advance,
  initialState,
  type CallEvent,
  type CallState,
} from '../../../src/web/call/state/call-state.ts';
import { words } from '../../../src/web/call/words/en.ts';
import { SHOWN_AGENT as agent } from '../../support/pages/shown-agent.ts';

const line = (id: string, text: string, isFinal = true): CallEvent => ({
  type: 'line',
  line: { id, sender: 'ai', text, isFinal },
});
const presenceEvent: CallEvent = { type: 'presence', presence: 'here' };
const storedLines = [{ sender: 'ai' as const, text: 'Hello.', saidAt: 'then' }];

/** All events of the page while these happen. */
function eventsOf(...events: CallEvent[]) {
  let state: CallState = initialState;
  return events.flatMap((event) => {
    const previous = state;
    state = advance(state, event);
    return eventsBetween(words, previous, state, 'c1');
  });
}
const details = (name: string, events: CallEvent[]) =>
  eventsOf(...events)
    .filter((event) => event.name === name)
    .map(({ detail }) => detail);

const joined: CallEvent[] = [
  { type: 'found', agent },
  { type: 'joins' },
  { type: 'opened' },
  { type: 'joined' },
];

describe('a page with an agent', () => {
  test('is told each state once', () => {
    const away: CallEvent = { type: 'presence', presence: 'away' };
    const states = details('troupe-state', [
      ...joined,
      presenceEvent,
      presenceEvent,
      away,
      presenceEvent,
      { type: 'over', reason: 'left', lines: null },
    ]);

    expect(states.map((each) => 'state' in each && each.state)).toEqual([
      'ready',
      'connecting',
      'live',
      'reconnecting',
      'live',
      'ended',
    ]);
  });

  test('is told complete sentences once, also before the first picture', () => {
    const messages = details('troupe-message', [
      ...joined,
      line('1', 'Hel', false),
      line('1', 'Hello.'),
      presenceEvent,
      line('1', 'Hello.'),
      line('2', 'Bye.'),
      // Under other ids.
      { type: 'returns', lines: storedLines },
      presenceEvent,
      { type: 'over', reason: 'left', lines: storedLines },
    ]);

    expect(messages).toEqual([
      { sender: 'ai', text: 'Hello.' },
      { sender: 'ai', text: 'Bye.' },
    ]);
  });

  test('is told the start and the end of a call, and whether the visitor returned', () => {
    const agentEvent: CallEvent = { type: 'found', agent };
    const endEvent: CallEvent = { type: 'over', reason: 'time_limit', lines: storedLines };
    const events = [
      agentEvent,
      { type: 'returns', lines: storedLines } as const,
      presenceEvent,
      endEvent,
    ];

    expect(details('troupe-call-started', events)).toEqual([{ callId: 'c1', isReturn: true }]);
    expect(details('troupe-call-ended', events)).toEqual([
      { callId: 'c1', reason: 'time_limit', transcript: [{ sender: 'ai', text: 'Hello.' }] },
    ]);
    expect(details('troupe-call-started', [...joined, presenceEvent])).toMatchObject([
      { isReturn: false },
    ]);
  });

  test('is told why there is no call, and that there is no microphone', () => {
    const device = { isOn: false, problem: 'denied' } as const;
    const denied: CallEvent = { type: 'device', kind: 'microphone', device };

    expect(details('troupe-error', [{ type: 'refused', why: 'not_found' }])).toEqual([
      { code: 'not_found', message: expect.stringContaining('Agent not found. ') },
    ]);
    expect(details('troupe-error', [...joined, presenceEvent, denied, denied])).toMatchObject([
      { code: 'microphone' },
    ]);
  });
});

test.each([
  [{ target: 'troupe-agent', type: 'start' }, true],
  [{ target: 'troupe-agent', type: 'remove' }, false],
  [{ type: 'start' }, false],
  ['start', false],
  [null, false],
])('a frame takes the command %o: %s', (data, isTaken) => {
  expect(isCommand(data)).toBe(isTaken);
});
