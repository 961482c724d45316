import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { outcomeOf, RETRY_AFTER_MS } from '../../src/events/retries.ts';
import { openDeliveries, type DeliveryService } from '../support/api/deliveries.ts';
import { until } from '../support/until.ts';

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

const failed = (attempts: number, random = 0, failingSince: number | null = null) => {
  const outcome = outcomeOf({ status: 500 }, { attempts, failingSince }, NOW, random);
  if (outcome.status === 'delivered') throw new Error('a failed attempt was delivered');
  return outcome;
};
const waitOf = (attempts: number, random = 0): number => {
  const outcome = failed(attempts, random);
  return outcome.status === 'pending' ? outcome.dueAt - NOW : Number.NaN;
};

describe('the outcome of an attempt', () => {
  test('schedules the next attempt with growing waits', () => {
    const waits = RETRY_AFTER_MS.map((_, attempts) => waitOf(attempts));

    expect(waits).toEqual([...RETRY_AFTER_MS]);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  });

  test('spreads retries by up to a tenth', () => {
    expect(waitOf(0, 0.5)).toBe(5_250);
    expect(waitOf(9, 0.999)).toBeLessThan(10.5 * HOUR * 1.1);
  });

  test('fails after the last attempt, more than a day after the first', () => {
    const together = RETRY_AFTER_MS.reduce((sum, ms) => sum + ms, 0);

    expect(together).toBeGreaterThanOrEqual(24 * HOUR);
    expect(failed(RETRY_AFTER_MS.length - 1).status).toBe('pending');
    expect(failed(RETRY_AFTER_MS.length).status).toBe('failed');
  });

  test('disables a webhook that accepted nothing for a day, and no sooner', () => {
    expect(failed(3, 0, NOW - 24 * HOUR).disable).toBe('failing');
    expect(failed(3, 0, NOW - 24 * HOUR + 1).disable).toBeNull();
    expect(failed(RETRY_AFTER_MS.length).disable).toBeNull();
  });

  test('disables a webhook that answers 410, and keeps its deliveries', () => {
    const outcome = outcomeOf({ status: 410 }, { attempts: 10, failingSince: null }, NOW, 0);

    expect(outcome).toMatchObject({ status: 'pending', disable: 'gone' });
  });
});

describe('a failing webhook', () => {
  let service: DeliveryService;
  beforeEach(async () => {
    service = await openDeliveries();
  });
  afterEach(() => service.close());

  const find = async (id: string) => service.webhooks.find('account-1', id);
  const nextTry = async (webhookId: string) => {
    const [delivery] = await service.find(webhookId);
    service.clock.advance((delivery?.dueAt ?? 0) - service.clock.now());
    service.sender.wake([webhookId]);
    service.wake();
  };

  test('is retried on schedule and disabled after a day', async () => {
    const { sink, webhook } = await service.addSink();
    sink.answer = (response) => response.writeHead(500).end();
    await service.addEvent('call-1');
    await service.addEvent('call-1');
    service.wake();

    for (const [attempts, waitMs] of RETRY_AFTER_MS.entries()) {
      const { status, dueAt } = await service.tried(webhook.id, attempts + 1);
      expect({ status, waitMs: dueAt - service.clock.now() }).toEqual({
        status: 'pending',
        waitMs,
      });
      expect(await service.queue.due(webhook.id, dueAt - 1, 10)).toEqual([]);
      await nextTry(webhook.id);
    }
    await service.tried(webhook.id, RETRY_AFTER_MS.length + 1);
    await until(async () => (await find(webhook.id))?.status === 'disabled');

    const retries = RETRY_AFTER_MS.map(() => 'retry');
    // The response follows the commit by a moment.
    await until(() => service.results.length > retries.length);
    expect(service.results).toEqual([...retries, 'failed']);
    const [firstDelivery, secondDelivery] = await service.find(webhook.id);
    expect(sink.received).toHaveLength(RETRY_AFTER_MS.length + 1);
    expect(firstDelivery).toMatchObject({
      status: 'failed',
      answerStatus: 500,
      error: 'Answered 500.',
    });
    expect(secondDelivery).toMatchObject({ status: 'pending', attempts: 0 });
    expect((await find(webhook.id))?.disabledReason).toBe('failing');
    expect(service.logged).toContainEqual(
      expect.objectContaining({
        level: 40,
        msg: 'webhook disabled',
        webhookId: webhook.id,
        reason: 'failing',
      }),
    );
  });

  test('stays enabled while other deliveries succeed', async () => {
    const { sink, webhook } = await service.addSink();
    sink.answer = (response, { payload }) =>
      response.writeHead(payload.data['subject'] === 'bad' ? 422 : 204).end();
    await service.addEvent('bad');
    service.wake();

    for (const attempts of RETRY_AFTER_MS.keys()) {
      await service.tried(webhook.id, attempts + 1);
      await service.addEvent(`good ${attempts}`);
      service.wake();
      await service.delivered(webhook.id, attempts + 1);
      await nextTry(webhook.id);
    }
    const bad = await service.tried(webhook.id, RETRY_AFTER_MS.length + 1);

    expect(bad.status).toBe('failed');
    expect(await find(webhook.id)).toMatchObject({ status: 'enabled' });
  });

  test('gets the deliveries after a failed one', async () => {
    const { sink, webhook } = await service.addSink();
    sink.answer = (response, { payload }) =>
      response.writeHead(payload.data['text'] === 'one' ? 400 : 204).end();
    await service.addEvent('call-1', { data: { text: 'one' } });
    await service.addEvent('call-1', { data: { text: 'two' } });
    await service.db
      .updateTable('deliveries')
      .set({ attempts: RETRY_AFTER_MS.length })
      .where('id', '=', (await service.find(webhook.id))[0]?.id ?? '')
      .execute();

    service.wake();
    await service.delivered(webhook.id, 1);

    expect((await service.find(webhook.id)).map(({ status }) => status)).toEqual([
      'failed',
      'delivered',
    ]);
  });

  test('gets nothing after a 410, and the missed deliveries once enabled', async () => {
    const { sink, webhook } = await service.addSink();
    sink.answer = (response) => response.writeHead(410).end();
    await service.addEvent('call-1');
    service.wake();
    await until(async () => (await find(webhook.id))?.status === 'disabled');
    await service.addEvent('call-2');
    service.clock.advance(HOUR);
    service.sender.wake([webhook.id]);
    service.wake();
    const disabledWebhook = await find(webhook.id);

    sink.answer = (response) => response.writeHead(204).end();
    const changes = { status: 'enabled' } as const;
    const enabledWebhook = await service.webhooks.update('account-1', webhook.id, changes, 0);
    service.sender.wake([webhook.id]);
    service.wake();
    await service.delivered(webhook.id, 1);

    expect(disabledWebhook?.disabledReason).toBe('gone');
    expect(enabledWebhook).toMatchObject({ status: 'enabled', disabledReason: null });
    expect(sink.types).toEqual(['message', 'message']);
    expect((await service.find(webhook.id))[0]).toMatchObject({ attempts: 1 });
  });
});
