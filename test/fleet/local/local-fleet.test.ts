import { describe, expect, test } from 'vitest';
import { TypedEvents } from '#shared/typed-events.ts';
import type { FleetEvents } from '../../../src/fleet/fleet.ts';
import { LocalFleet } from '../../../src/fleet/local/local-fleet.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';
import { FakeConnection } from '../../support/fleet/fake-connection.ts';
import { job, requirements } from '../../support/fleet/fleet-requests.ts';
import { TestClock } from '../../support/test-clock.ts';
import { fleetContract } from '../fleet.contract.ts';

function openFleet() {
  const clock = new TestClock();
  const events: FleetEvents = new TypedEvents((error) => {
    throw error;
  });
  return { clock, events, fleet: new LocalFleet({ clock, log: quietLog, events }) };
}

describe('local fleet', () => {
  fleetContract(async () => openFleet());

  test('emits how long a slot and an answer took', async () => {
    const { clock, events, fleet } = openFleet();
    const emittedEvents: unknown[] = [];
    events.on('slot.reserved', (event) => emittedEvents.push(event));
    events.on('session.assigned', (event) => emittedEvents.push(event));
    const options = { account: 'account-1', waitMs: 2_000 };
    const waiting = fleet.reserve({ sessionId: 'session-1', epoch: 1 }, requirements, options);
    clock.advance(400);
    await fleet.join(new FakeConnection('worker-a', 1));
    const lease = await waiting;
    if (!lease) throw new Error('no lease');

    await fleet.assign(lease, job);

    expect(emittedEvents).toEqual([
      { kind: 'avatar', waitedMs: 400, isUrgent: false },
      { answer: 'accepted', tookMs: 0 },
    ]);
    await fleet.close();
  });
});
