import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDeliveries, type DeliveryService } from '../../support/api/deliveries.ts';

let service: DeliveryService;
beforeEach(async () => {
  service = await openDeliveries();
});
afterEach(() => service.close());

const event = { accountId: 'account-1', subject: 'call-1', type: 'message', data: {}, at: 0 };
const events = () => service.db.selectFrom('events').selectAll().execute();

describe('the outbox', () => {
  test('adds nothing for a change that was rolled back', async () => {
    const { id } = await service.addWebhook();

    const change = service.db.transaction().execute(async (trx) => {
      await service.outbox.add(trx, event);
      throw new Error('the change failed');
    });

    await expect(change).rejects.toThrow('the change failed');
    expect(await service.find(id)).toEqual([]);
    expect(await events()).toEqual([]);
  });

  test('stores one event for all subscribers, and none without any', async () => {
    const wanting = [await service.addWebhook(), await service.addWebhook()];
    await service.addWebhook({ events: ['call.ended'] });
    await service.addWebhook({ status: 'disabled' });

    await service.addEvent('call-1');
    await service.addEvent('call-1', { type: 'session.started' });

    const [only, ...otherEvents] = await events();
    const deliveries = await service.db.selectFrom('deliveries').selectAll().execute();
    expect(otherEvents).toEqual([]);
    expect(deliveries.map((delivery) => delivery.webhook_id).sort()).toEqual(
      wanting.map(({ id }) => id).sort(),
    );
    expect(new Set(deliveries.map((delivery) => delivery.event_id))).toEqual(new Set([only?.id]));
  });

  test('does not report an event to other accounts', async () => {
    const otherAccount = { id: 'account-2', name: 'two', created_at: 0 };
    await service.db.insertInto('accounts').values(otherAccount).execute();
    const { id } = await service.addWebhook({ accountId: 'account-2' });

    await service.addEvent('call-1');

    expect(await service.find(id)).toEqual([]);
  });

  test('disables no webhook for a failure whose claim another control plane has taken', async () => {
    const { id, accountId } = await service.addWebhook();
    await service.addEvent('call-1');
    const { queue, clock, webhooks } = service;
    const [delivery] = await queue.due(id, clock.now(), 1);
    const expired = await queue.claim(delivery!, clock.now());
    const claimed = await queue.claim(expired!, clock.now() + 60_000);
    await queue.settle(claimed!, { status: 'delivered', answerStatus: 204 }, clock.now());

    const failure = { answerStatus: 410, error: 'gone', disable: 'gone' } as const;
    const reason = await queue.settle(expired!, { status: 'failed', ...failure }, clock.now());

    expect(reason).toBeNull();
    expect(await webhooks.find(accountId, id)).toMatchObject({ status: 'enabled' });
    expect(await service.find(id)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  });

  test('does not fail the change when a webhook is deleted concurrently', async () => {
    const { id, accountId } = await service.addWebhook();
    await service.addEvent('call-1');
    const [delivery] = await service.db.selectFrom('deliveries').selectAll().execute();
    const [event] = await service.db.selectFrom('events').selectAll().execute();
    if (!delivery || !event) throw new Error('no delivery');

    await service.webhooks.remove(accountId, id);
    await service.db.insertInto('events').values(event).execute();
    await service.db.insertInto('deliveries').values(delivery).execute();

    expect(await service.queue.waiting(service.clock.now())).toEqual([]);
  });
});
