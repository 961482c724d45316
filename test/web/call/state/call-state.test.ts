import { describe, expect, test } from 'vitest';
import {
  advance,
  captionOf,
  initialState,
  isBlind,
  looksAtCamera,
  type Line,
  type CallEvent,
  type CallState,
} from '../../../../src/web/call/state/call-state.ts';
import { SHOWN_AGENT as mira } from '../../../support/pages/shown-agent.ts';

const pass = { id: 'call', url: 'wss://media.example', token: 'secret' };
const stateAfter = (...events: CallEvent[]): CallState => events.reduce(advance, initialState);

const joining: CallEvent[] = [{ type: 'found', agent: mira }, { type: 'joins' }];
const live: CallEvent[] = [
  ...joining,
  { type: 'opened' },
  { type: 'joined' },
  { type: 'presence', presence: 'here' },
];
const line = (id: string, text: string, change: Partial<Line> = {}): CallEvent => ({
  type: 'line',
  line: { id, text, sender: 'ai', isFinal: false, ...change },
});

const typed = (id: string, text: string): CallEvent =>
  line(id, text, { sender: 'user', isWaiting: true });
const refused: CallEvent = { type: 'refused', why: 'full' };

describe('call state', () => {
  test('goes from the lobby to a live call step by step', () => {
    const steps = live.map((_, i) => stateAfter(...live.slice(0, i + 1)).phase);

    expect(steps.map((phase) => ('step' in phase ? phase.step : phase.type))).toEqual([
      'lobby',
      'asking',
      'joining',
      'coming',
      'live',
    ]);
  });

  test('lets an agent that sees look at the camera, until its model refuses a picture', () => {
    const found: CallEvent = { type: 'found', agent: { ...mira, sees: true } };

    expect(looksAtCamera(stateAfter({ type: 'found', agent: mira }))).toBe(false);
    expect(looksAtCamera(stateAfter(found))).toBe(true);
    const blind = stateAfter(found, { type: 'joins' }, { type: 'sees', sees: false });
    expect([looksAtCamera(blind), isBlind(blind)]).toEqual([false, true]);
    expect(isBlind(stateAfter({ type: 'found', agent: mira }))).toBe(false);
  });

  test('is not live before the first picture', () => {
    const state = stateAfter(...live.slice(0, 4), { type: 'presence', presence: 'away' });

    expect(state.phase).toMatchObject({ type: 'connecting', step: 'coming' });
  });

  test('waits while every avatar is busy, and connects when one is free', () => {
    const busy = { tries: 2, retryInSeconds: 7, position: null };
    const waiting = stateAfter(...joining, { type: 'busy', ...busy });
    const opened = advance(waiting, { type: 'opened' });

    expect(waiting.phase).toEqual({ type: 'waiting', agent: mira, ...busy });
    expect(opened.phase).toMatchObject({ type: 'connecting', step: 'joining' });
  });

  test('shows a change of the agent before and during a call, and keeps cards as they are', () => {
    const changed = { ...mira, hears: true, name: 'Myra' };
    const change: CallEvent = { type: 'agent', agent: changed };
    const [lobby, asking] = [
      stateAfter(...joining.slice(0, 1), change),
      stateAfter(...joining, change),
    ];
    const over = stateAfter(...joining, { type: 'over', reason: 'left', lines: null });

    expect([lobby.phase, asking.phase]).toMatchObject([
      { type: 'lobby', agent: changed },
      { type: 'connecting', agent: changed },
    ]);
    expect(advance(over, change)).toBe(over);
  });

  test('keeps the last position in line while it is not told again', () => {
    const busy = { type: 'busy', tries: 1, retryInSeconds: 2 } as const;
    const known = stateAfter(...joining, { ...busy, position: 3 }, { ...busy, position: null });
    const moved = advance(known, { ...busy, position: 2 });

    expect([known.phase, moved.phase]).toMatchObject([{ position: 3 }, { position: 2 }]);
  });

  test('returns to the lobby when the person stops waiting', () => {
    const state = stateAfter(
      ...joining,
      { type: 'busy', tries: 1, retryInSeconds: 7, position: null },
      { type: 'given_up' },
    );

    expect(state.phase).toEqual({ type: 'lobby', agent: mira });
  });

  test.each<[string, CallEvent[]]>([
    ['is refused', [refused]],
    ['is given up', [{ type: 'given_up' }]],
    ['ends', [{ type: 'over', reason: 'room_closed', lines: null }]],
    ['is refused, and the person tries again', [refused, { type: 'found', agent: mira }]],
  ])('keeps texts for the next call that were not sent when one %s', (_, end) => {
    const state = stateAfter(...joining, typed('1', 'Hello?'), typed('2', 'Open?'), ...end);

    expect(state).toMatchObject({ lines: [], unsent: 'Hello? Open?' });
    expect(advance(state, { type: 'joins' }).unsent).toBe('');
  });

  test('shows a line that ended during a reload before those said since', () => {
    const storedLines = ['Hello.', 'We open at ten.'].map((text) => ({
      sender: 'ai' as const,
      text,
      saidAt: text,
    }));

    const { lines } = stateAfter(
      ...joining,
      { type: 'returns', lines: storedLines.slice(0, 1) },
      line('1', 'And'),
      { type: 'kept', lines: storedLines },
    );

    expect(lines.map(({ text }) => text)).toEqual(['Hello.', 'We open at ten.', 'And']);
  });

  test('shows texts that wait below a stored transcript', () => {
    const storedLines = [{ sender: 'ai' as const, text: 'Hello.', saidAt: 'then' }];

    const { lines } = stateAfter(...live, line('1', 'Hel'), typed('2', 'Open?'), {
      type: 'returns',
      lines: storedLines,
    });

    expect(lines.map(({ text }) => text)).toEqual(['Hello.', 'Open?']);
  });

  test.each(['away', 'rejoining'] as const)('shows an agent again that was %s', (presence) => {
    const lossState = stateAfter(...live, { type: 'presence', presence });
    const back = advance(lossState, { type: 'presence', presence: 'here' });

    expect(lossState.phase).toMatchObject({ type: 'live', presence });
    expect(back.phase).toMatchObject({ type: 'live', presence: 'here' });
  });

  test('returns to the call and its transcript after a reload', () => {
    const storedLines = [{ sender: 'ai' as const, text: 'Hello.', saidAt: 'then' }];

    const state = stateAfter(
      { type: 'found', agent: mira },
      { type: 'returns', lines: storedLines },
    );

    expect(state.phase).toMatchObject({ type: 'connecting', step: 'joining', isReturn: true });
    expect(state.lines).toMatchObject([{ sender: 'ai', text: 'Hello.', isFinal: true }]);
  });

  test('keeps its own transcript on a reconnect when the service has none', () => {
    const state = stateAfter(...live, line('1', 'Hello.'), { type: 'returns', lines: [] });

    expect(state.phase).toMatchObject({ type: 'live', presence: 'rejoining' });
    expect(state.lines).toHaveLength(1);
  });

  test('updates a growing line in place', () => {
    const state = stateAfter(
      ...live,
      line('1', 'Good'),
      line('2', 'Hello?', { sender: 'user' }),
      line('1', 'Good morning.', { isFinal: true }),
    );

    expect(state.lines.map(({ text }) => text)).toEqual(['Good morning.', 'Hello?']);
    expect(captionOf(state)).toMatchObject({ text: 'Good morning.' });
  });

  test('says that a text was ignored, until the person writes or speaks again', () => {
    const ignored = stateAfter(...live, line('1', 'Hello?', { sender: 'user' }), {
      type: 'ignored',
      why: 'too_fast',
    });
    const answered = advance(ignored, line('2', 'Good morning.'));
    const nextState = advance(answered, line('3', 'Hello?', { sender: 'user' }));

    expect(ignored.ignored).toBe('too_fast');
    expect(answered.ignored).toBe('too_fast');
    expect(nextState.ignored).toBeNull();
  });

  test('shows the service’s transcript at the end, or its own if there is none', () => {
    const lineState = stateAfter(...live, line('1', 'Good mor'));
    const storedLines = [{ sender: 'ai' as const, text: 'Good', saidAt: 'then' }];

    const endState = advance(lineState, {
      type: 'over',
      reason: 'time_limit',
      lines: storedLines,
      call: pass,
    });
    const unknown = advance(lineState, { type: 'over', reason: 'left', lines: null });

    expect(endState.phase).toEqual({
      type: 'over',
      agent: mira,
      reason: 'time_limit',
      ratable: pass,
    });
    expect(endState.lines.map(({ text }) => text)).toEqual(['Good']);
    expect(unknown.lines).toMatchObject([{ text: 'Good mor', isFinal: true }]);
  });

  test('can be rated only if it was live, and not while it goes on elsewhere', () => {
    const endEvent: CallEvent = { type: 'over', reason: 'left', lines: null, call: pass };
    const neverLive = stateAfter(...live.slice(0, 4), endEvent);
    const elsewhere = stateAfter(...live, { type: 'over', reason: 'elsewhere', lines: null });

    expect(neverLive.phase).toMatchObject({ type: 'over', ratable: null });
    expect(elsewhere.phase).toMatchObject({ type: 'over', ratable: null });
  });

  test('starts the next call with a clean state', () => {
    const nextState = stateAfter(
      ...live,
      line('1', 'Good morning.'),
      { type: 'hears', hears: false },
      { type: 'device', kind: 'camera', device: { isOn: true, problem: null } },
      { type: 'over', reason: 'left', lines: null },
      { type: 'again' },
    );

    expect(nextState).toEqual(stateAfter({ type: 'found', agent: mira }));
  });

  test('explains a refusal, and can look again', () => {
    const refused = stateAfter({ type: 'refused', why: 'unreachable' });

    expect(refused.phase).toEqual({
      type: 'refused',
      agent: null,
      why: 'unreachable',
      retryAfterSeconds: null,
    });
    expect(advance(refused, { type: 'found', agent: mira }).phase.type).toBe('lobby');
  });

  test('ignores late events after the end', () => {
    const endState = stateAfter(...live, { type: 'over', reason: 'left', lines: null });

    expect(advance(endState, { type: 'presence', presence: 'here' })).toEqual(endState);
    expect(advance(endState, { type: 'joined' })).toEqual(endState);
  });
});
