import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { END_REASONS } from '#protocol/end-reasons.ts';
import {
  advance,
  type Effect,
  type SessionEvent,
  type SessionState,
} from '../../src/sessions/lifecycle.ts';

describe('session lifecycle', () => {
  test('ends a session without a first frame as never_started', () => {
    const { state, effects } = advance({ type: 'to_start' }, { type: 'expired', at: 9 });

    expect(state).toEqual({ type: 'completed', startedAt: 9, endedAt: 9, reason: 'never_started' });
    expect(effects).toContain('free_slot');
  });

  test('keeps the first start of a session that is placed again', () => {
    const { state, effects } = advance(
      { type: 'ongoing', startedAt: 5 },
      { type: 'started', at: 8 },
    );

    expect(state).toEqual({ type: 'ongoing', startedAt: 5 });
    expect(effects).toEqual([]);
  });

  test('keeps the state of a session whose worker is lost', () => {
    const { state, effects } = advance({ type: 'ongoing', startedAt: 5 }, { type: 'worker_lost' });

    expect(state).toEqual({ type: 'ongoing', startedAt: 5 });
    expect(effects).toEqual(['place_again']);
  });

  test('gives zero length to an end dated before the start', () => {
    const { state } = advance(
      { type: 'ongoing', startedAt: 5 },
      { type: 'ended', at: 3, reason: 'agent_left' },
    );

    expect(state).toEqual({ type: 'completed', startedAt: 5, endedAt: 5, reason: 'agent_left' });
  });
});

const at = fc.integer({ min: 0, max: 1_000_000 });
const event: fc.Arbitrary<SessionEvent> = fc.oneof(
  fc.record({ type: fc.constant('started' as const), at }),
  fc.record({
    type: fc.constant('ended' as const),
    at,
    reason: fc.constantFrom(...END_REASONS),
  }),
  fc.record({ type: fc.constant('expired' as const), at }),
  fc.constant({ type: 'worker_lost' as const }),
);

/** All states, and the effects of each step. */
function live(events: SessionEvent[]): { states: SessionState[]; effects: Effect[][] } {
  const states: SessionState[] = [{ type: 'to_start' }];
  const effects: Effect[][] = [];
  for (const event of events) {
    const step = advance(states.at(-1) ?? { type: 'to_start' }, event);
    states.push(step.state);
    effects.push(step.effects);
  }
  return { states, effects };
}

describe('any session lifecycle', () => {
  test('never changes a completed session', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const { states } = live(events);
        const end = states.findIndex((state) => state.type === 'completed');
        if (end === -1) return;

        for (const state of states.slice(end)) expect(state).toEqual(states[end]);
      }),
    );
  });

  test('frees the slot exactly once, on completion', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const { states, effects } = live(events);
        const freed = effects.flat().filter((effect) => effect === 'free_slot');

        expect(freed).toHaveLength(states.at(-1)?.type === 'completed' ? 1 : 0);
      }),
    );
  });

  test('announces start and end at most once, after they are saved', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const { effects } = live(events);

        expect(effects.flat().filter((effect) => effect === 'announce').length).toBeLessThan(3);
        for (const step of effects) {
          if (step.includes('announce')) expect(step[0]).toBe('save');
        }
      }),
    );
  });

  test('never ends a session before its start', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const lastState = live(events).states.at(-1);
        if (lastState?.type !== 'completed') return;

        expect(lastState.endedAt).toBeGreaterThanOrEqual(lastState.startedAt);
      }),
    );
  });
});
