import { describe, expect, test } from 'vitest';
import {
  advanceRelay,
  GIVE_UP_MS,
  type RelayEvent,
  type RelayState,
} from '../../../../../workers/avatar/transport/botroom/relay-state.ts';

const LATEST = () => 1;

/** Plays the events from the start. Resolves to the last state and all effects. */
function play(...events: RelayEvent[]) {
  let state: RelayState = { type: 'idle' };
  const effects = events.flatMap((event) => {
    const step = advanceRelay(state, event, LATEST);
    ({ state } = step);
    return step.effects;
  });
  const ending = effects.find((effect) => effect.type === 'report_over');
  return { state, effects, ending };
}

const opened = { type: 'opened', at: 0 } as const;
const admitted = { type: 'admitted' } as const;
const broken = (at: number, end = {}) =>
  ({ type: 'socket_ended', at, code: 1006, reason: '', ...end }) as const;
const timer = (at: number) => ({ type: 'timer', at }) as const;

describe('state of the connection to a relay', () => {
  test('is open when the relay has let the worker in', () => {
    const { state, effects } = play(opened, admitted);

    expect(state).toEqual({ type: 'open' });
    expect(effects).toContainEqual({ type: 'report_open', isFirst: true });
  });

  test('waits longer after each failed attempt, a second at most', () => {
    const waits: number[] = [];
    let state: RelayState = { type: 'open' };
    for (let at = 0, i = 0; i < 6; i++) {
      const lostStep = advanceRelay(state, broken(at), LATEST);
      const wait = lostStep.effects.find((effect) => effect.type === 'start_timer')!;
      waits.push(wait.ms);
      at += wait.ms;
      ({ state } = advanceRelay(lostStep.state, timer(at), LATEST));
    }

    expect(waits).toEqual([100, 200, 400, 800, 1000, 1000]);
  });

  test('gives a lost connection up after ten seconds: the room is closed', () => {
    const { ending } = play(
      opened,
      admitted,
      broken(5_000),
      timer(5_100),
      broken(5_000 + GIVE_UP_MS),
    );

    expect(ending).toMatchObject({ reason: 'room_closed', wasOpen: true });
  });

  test('gives a relay up that never answered: the room refuses', () => {
    const { state, ending } = play(opened, timer(5_000), timer(5_100), timer(GIVE_UP_MS));

    expect(state).toEqual({ type: 'over' });
    expect(ending).toMatchObject({ reason: 'room_refused', wasOpen: false });
  });

  test('counts the ten seconds from each loss', () => {
    const { state } = play(opened, admitted, broken(0), timer(100), admitted, broken(9_999));

    expect(state).toMatchObject({ type: 'waiting', attempt: 1, giveUpAt: 9_999 + GIVE_UP_MS });
  });

  test.each([
    [{ status: 401 }, 'room_refused'],
    [{ code: 4401 }, 'room_refused'],
    [{ status: 404 }, 'room_closed'],
    [{ code: 4404 }, 'room_closed'],
    [{ code: 4400 }, 'room_closed'],
    [{ code: 4409 }, 'replaced'],
    [{ code: 4410, reason: 'The session is over: time_limit.' }, 'time_limit'],
    [{ code: 4410, reason: 'The session is over.' }, 'room_closed'],
  ])('is over for good after %j: %s', (end, reason) => {
    const refused = play(opened, broken(1, end));
    const ended = play(opened, admitted, broken(1, end));

    expect(refused.ending).toMatchObject({ reason, wasOpen: false });
    expect(ended.ending).toMatchObject({ reason, wasOpen: true });
  });

  test.each([{ code: 1000 }, { code: 1001 }, { code: 4408 }, { code: 4429 }, { status: 503 }])(
    'tries again after %j',
    (end) => {
      expect(play(opened, admitted, broken(1, end)).state.type).toBe('waiting');
    },
  );

  test('stays over, whatever comes', () => {
    const { state, effects } = play(opened, { type: 'closed' }, admitted, timer(1), broken(2));

    expect(state).toEqual({ type: 'over' });
    expect(effects.at(-1)).toEqual({ type: 'stop_timer' });
  });
});
