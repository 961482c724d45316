import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDeliveries, type DeliveryService } from '../support/api/deliveries.ts';
import { until } from '../support/until.ts';

let service: DeliveryService;
beforeEach(async () => {
  service = await openDeliveries();
});
afterEach(() => service.close());

describe('control planes on the same records', () => {
  test('do not send a delivery twice', async () => {
    const { sink, webhook } = await service.addSink();
    const otherSender = service.addSender();
    for (let call = 1; call <= 40; call += 1) await service.addEvent(`call-${call}`);

    otherSender.wake([webhook.id]);
    service.wake();
    await service.delivered(webhook.id, 40);

    expect(sink.received).toHaveLength(40);
  });

  test('take over deliveries whose claim has expired', async () => {
    const { sink, webhook } = await service.addSink();
    await service.addEvent('call-1');
    const [delivery] = await service.queue.due(webhook.id, service.clock.now(), 1);
    if (!delivery) throw new Error('nothing is due');
    await service.queue.claim(delivery, service.clock.now() + 15_000);

    service.wake();
    service.clock.advance(14_000);
    expect(await service.queue.waiting(service.clock.now())).toEqual([]);
    service.clock.advance(1_000);
    service.sender.start();
    await service.delivered(webhook.id, 1);

    expect(sink.received).toHaveLength(1);
  });

  test('accept only a success from an expired claim', async () => {
    const { webhook } = await service.addSink();
    await service.addEvent('call-1');
    const now = service.clock.now();
    const [dueDelivery] = await service.queue.due(webhook.id, now, 1);
    const claimed = dueDelivery && (await service.queue.claim(dueDelivery, now + 1));
    const secondClaim = claimed && (await service.queue.claim(claimed, now + 2));
    if (!claimed || !secondClaim) throw new Error('not claimed');
    const outcome = { dueAt: now, answerStatus: 500, error: 'no', disable: null } as const;

    await service.queue.settle(claimed, { ...outcome, status: 'failed' }, now);
    const [afterFailure] = await service.find(webhook.id);
    await service.queue.settle(claimed, { ...outcome, status: 'delivered' }, now);
    const [afterSuccess] = await service.find(webhook.id);

    expect(afterFailure).toMatchObject({ status: 'pending', attempts: 0 });
    expect(afterSuccess).toMatchObject({ status: 'delivered', attempts: 1 });
  });
});

describe('a poll', () => {
  test('finds due deliveries every second', async () => {
    const { webhook } = await service.addSink();
    service.sender.start();
    await until(() => service.clock.nextInMs === 1_000);
    const { id } = await service.deliveries.add(webhook.id, event, service.clock.now() + 1_000);

    service.clock.advance(1_000);
    await service.delivered(webhook.id, 1);

    expect(await service.deliveries.find(webhook.id, id)).toMatchObject({ attempts: 1 });
  });

  test('continues after the records were unavailable', async () => {
    const { webhook } = await service.addSink();
    await service.db.schema.alterTable('deliveries').renameTo('away').execute();
    service.sender.start();
    await until(() => service.logged.some(({ msg }) => msg === 'webhook delivery step failed'));

    await service.db.schema.alterTable('away').renameTo('deliveries').execute();
    await service.addEvent('call-1');
    await until(() => service.clock.nextInMs !== null);
    service.clock.advance(1_000);
    await service.delivered(webhook.id, 1);
  });
});

describe('closing', () => {
  test('waits for running attempts', async () => {
    const { sink, webhook } = await service.addSink();
    const waiting: (() => void)[] = [];
    sink.answer = (response) => void waiting.push(() => response.writeHead(204).end());
    await service.addEvent('call-1');
    await service.addEvent('call-1');
    service.wake();
    await sink.arrived(1);

    const closed = service.sender.close();
    waiting[0]?.();
    await closed;

    const statuses = (await service.find(webhook.id)).map(({ status }) => status);
    expect(statuses).toEqual(['delivered', 'pending']);
    expect(sink.received).toHaveLength(1);
  });

  test('releases slow attempts uncounted', async () => {
    const { sink, webhook } = await service.addSink();
    sink.answer = () => {};
    await service.addEvent('call-1');
    service.wake();
    await sink.arrived(1);

    const closed = service.sender.close();
    service.clock.advance(3_000);
    await closed;

    expect((await service.find(webhook.id))[0]).toMatchObject({
      status: 'pending',
      attempts: 0,
      dueAt: service.clock.now(),
      error: null,
    });
  });
});

const event = {
  accountId: 'account-1',
  subject: null,
  type: 'test',
  data: {},
  at: 0,
};
