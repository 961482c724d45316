import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ACCOUNT_ID, openDeliveries, type DeliveryService } from '../../support/api/deliveries.ts';

let service: DeliveryService;
beforeEach(async () => {
  service = await openDeliveries();
});
afterEach(() => service.close());

const row = (id: string) =>
  service.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const fail = (id: string) =>
  service.db.updateTable('webhooks').set({ failing_since: 1 }).where('id', '=', id).execute();

describe('webhook records', () => {
  test('are read as written, by their account only', async () => {
    const webhook = await service.addWebhook({ description: 'one', events: ['test', 'message'] });

    expect(await service.webhooks.find(ACCOUNT_ID, webhook.id)).toEqual(webhook);
    expect(await service.webhooks.find('another', webhook.id)).toBeNull();
    expect(await service.webhooks.update('another', webhook.id, {}, 0)).toBeNull();
    expect(await service.webhooks.remove('another', webhook.id)).toBe(false);
  });

  test('are listed in pages, most recent first', async () => {
    const ids = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await service.addWebhook()).id);

    const firstPage = await service.webhooks.page(ACCOUNT_ID, { limit: 3 });
    const secondPage = await service.webhooks.page(ACCOUNT_ID, {
      limit: 3,
      cursor: firstPage.nextCursor ?? '',
    });

    expect([...firstPage.data, ...secondPage.data].map(({ id }) => id)).toEqual(ids);
    expect(secondPage.nextCursor).toBeNull();
  });

  test('are limited per account', async () => {
    const webhook = await service.addWebhook();
    const otherWebhook = { ...webhook, id: 'another' };

    expect(await service.webhooks.insert(otherWebhook, 1)).toBe(false);
    expect(await service.webhooks.insert(otherWebhook, 2)).toBe(true);
  });

  test('stay within the limit when inserted concurrently', async () => {
    const webhook = await service.addWebhook();

    const inserted = await Promise.all(
      ['a', 'b', 'c', 'd'].map((id) => service.webhooks.insert({ ...webhook, id }, 3)),
    );

    expect(inserted.filter(Boolean)).toHaveLength(2);
    expect((await service.webhooks.page(ACCOUNT_ID, { limit: 10 })).data).toHaveLength(3);
  });

  test.each([
    { what: 'a change of its url', before: 'enabled', change: { url: 'https://b.example' } },
    { what: 'being enabled again', before: 'disabled', change: { status: 'enabled' } },
  ] as const)('reset the attempts of deliveries after $what', async ({ before, change }) => {
    const { id } = await service.addWebhook({ url: 'https://a.example' });
    await service.addEvent('call-1');
    await service.db.updateTable('deliveries').set({ attempts: 9, due_at: 99 }).execute();
    await service.webhooks.update(ACCOUNT_ID, id, { status: before }, 0);
    await fail(id);

    await service.webhooks.update(ACCOUNT_ID, id, change, 7);

    expect((await row(id)).failing_since).toBeNull();
    expect((await service.find(id))[0]).toMatchObject({ attempts: 0, dueAt: 7 });
  });

  test('keep their attempts after any other change', async () => {
    const { id, url } = await service.addWebhook();
    await service.addEvent('call-1');
    await fail(id);

    await service.webhooks.update(ACCOUNT_ID, id, { url, status: 'enabled', events: ['test'] }, 7);

    expect(await row(id)).toMatchObject({ failing_since: 1, events: '["test"]' });
    expect((await service.find(id))[0]).toMatchObject({ dueAt: service.clock.now() });
  });
});

describe('a repeated delivery', () => {
  test('makes earlier ones of its subject due, and nothing else', async () => {
    const { id } = await service.addWebhook();
    for (const subject of ['call-1', 'call-1', 'call-1', 'call-2']) await service.addEvent(subject);
    await service.db.updateTable('deliveries').set({ attempts: 3, due_at: 99 }).execute();
    const [firstDelivery, secondDelivery, thirdDelivery, otherDelivery] = await service.find(id);

    await service.deliveries.again(id, secondDelivery?.id ?? '', 7);

    const deliveries = await service.find(id);
    expect(deliveries).toEqual([
      { ...firstDelivery, dueAt: 7 },
      { ...secondDelivery, dueAt: 7, attempts: 0 },
      thirdDelivery,
      otherDelivery,
    ]);
  });

  test('must belong to the webhook', async () => {
    const { id } = await service.addWebhook();
    const otherWebhook = await service.addWebhook();
    await service.addEvent('call-1');
    const [delivery] = await service.find(id);

    expect(await service.deliveries.again(otherWebhook.id, delivery?.id ?? '', 7)).toBeNull();
    expect(await service.deliveries.find(otherWebhook.id, delivery?.id ?? '')).toBeNull();
  });
});
