import { beforeEach, describe, expect, test } from 'vitest';
import { TypedEvents } from '#shared/typed-events.ts';
import { AgentArrivals } from '../../src/calls/agent-arrivals.ts';
import type { SessionRecord } from '../../src/records/sessions/sessions.ts';
import type { SessionEventMap } from '../../src/sessions/session-events.ts';
import { settle, TestClock } from '../support/test-clock.ts';

let clock: TestClock;
let events: TypedEvents<SessionEventMap>;
let arrivals: AgentArrivals;
beforeEach(() => {
  clock = new TestClock();
  events = new TypedEvents((error) => {
    throw error;
  });
  arrivals = new AgentArrivals({ events, clock, withinMs: 5_000 });
});

const half = (kind: 'agent' | 'avatar', callId = 'call-1') =>
  ({ session: { kind, callId } as SessionRecord }) as const;

function expectAgent() {
  const agent = arrivals.expect('call-1');
  const arrival = { hasArrived: false };
  void agent.arrived.then(() => (arrival.hasArrived = true));
  return { ...agent, seen: arrival };
}

describe('the wait for the agent of a call', () => {
  test('ends when the agent listens, not when the avatar is seen', async () => {
    const { seen: arrival, forget } = expectAgent();

    events.emit('session.started', half('avatar'));
    events.emit('session.started', half('agent', 'another call'));
    await settle();
    expect(arrival.hasArrived).toBe(false);
    events.emit('session.started', half('agent'));
    await settle();

    expect(arrival.hasArrived).toBe(true);
    forget();
    expect(clock.waiting).toBe(0);
  });

  test.each(['agent', 'avatar'] as const)('ends with the %s’s session', async (kind) => {
    const { seen: arrival, forget } = expectAgent();

    events.emit('session.ended', half(kind));
    await settle();

    expect(arrival.hasArrived).toBe(true);
    forget();
  });

  test('ends after its time', async () => {
    const { seen: arrival, forget } = expectAgent();

    await clock.pass(4_999);
    expect(arrival.hasArrived).toBe(false);
    await clock.pass(1);

    expect(arrival.hasArrived).toBe(true);
    forget();
  });
});
