import { describe, expect, test } from 'vitest';
import type { Ended, Started } from '#protocol/worker/worker-messages.ts';
import { Outbox } from '../../../../workers/runtime/reports/outbox.ts';
import { TestClock } from '../../../support/test-clock.ts';

const placement = { sessionId: 'session-1', epoch: 1 };
const STARTED = { type: 'started', placement } as const;
const ENDED = { type: 'ended', placement, reason: 'agent_left' } as const;

function outbox() {
  const clock = new TestClock();
  const gateway = { isThere: true, reports: [] as (Started | Ended)[] };
  const box = new Outbox<Started | Ended>({
    clock,
    resendMs: 5_000,
    send: (report) => {
      if (gateway.isThere) gateway.reports.push(report);
      return gateway.isThere;
    },
  });
  const types = () => gateway.reports.map(({ type }) => type);
  return { clock, gateway, box, types };
}

describe('outbox', () => {
  test('sends a report at once', () => {
    const { box, gateway } = outbox();

    box.add(STARTED);

    expect(gateway.reports).toMatchObject([{ ...STARTED, agoMs: 0 }]);
  });

  test('resends unacknowledged reports in order, with the same id and their age', () => {
    const { box, clock, gateway, types } = outbox();
    gateway.isThere = false;
    box.add(STARTED);
    clock.advance(2_000);
    box.add(ENDED);
    clock.advance(500);

    gateway.isThere = true;
    box.sendAll();
    box.sendAll();

    expect(types()).toEqual(['started', 'ended', 'started', 'ended']);
    expect(gateway.reports.map(({ agoMs }) => agoMs)).toEqual([2_500, 500, 2_500, 500]);
    expect(gateway.reports[0]?.id).toBe(gateway.reports[2]?.id);
  });

  test('resends a report periodically until it is acknowledged', () => {
    const { box, clock, gateway, types } = outbox();
    box.add(STARTED);

    clock.advance(10_000);
    expect(types()).toEqual(['started', 'started', 'started']);
    box.acknowledge(gateway.reports[0]?.id ?? '');
    clock.advance(60_000);

    expect(types()).toHaveLength(3);
    expect(clock.waiting).toBe(0);
  });

  test('lists the waiting reports', () => {
    const { box, gateway } = outbox();
    box.add(STARTED);
    box.add(ENDED);

    box.acknowledge(gateway.reports[0]?.id ?? '');

    expect(box.waiting).toMatchObject([ENDED]);
  });

  test('forgets matching reports', () => {
    const { box, clock } = outbox();
    box.add(STARTED);
    box.add(ENDED);

    box.forget((report) => report.placement.sessionId === placement.sessionId);

    expect(box.waiting).toEqual([]);
    expect(clock.waiting).toBe(0);
  });

  test('resolves to true when everything is acknowledged', async () => {
    const { box, clock, gateway } = outbox();
    box.add(STARTED);
    const emptied = box.emptied(2_000);

    box.acknowledge(gateway.reports[0]?.id ?? '');

    expect(await emptied).toBe(true);
    expect(await box.emptied(0)).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  test('resolves to false after the timeout', async () => {
    const { box, clock } = outbox();
    box.add(STARTED);
    const emptied = box.emptied(2_000);

    clock.advance(2_000);

    expect(await emptied).toBe(false);
    box.close();
    expect(clock.waiting).toBe(0);
  });
});
