import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { createLog } from '#shared/log.ts';
import { newRecordId } from '#shared/ids.ts';
import { TypedEvents } from '#shared/typed-events.ts';
import { createOutgoing, LOOPBACK_NETWORKS } from '#shared/network/address-policy.ts';
import { Deliveries, type DeliveryEvents } from '../../../src/events/deliveries.ts';
import { httpPost, type Post } from '../../../src/egress/post.ts';
import { newSigningSecret } from '../../../src/events/signature.ts';
import { deliveryRecords, type DeliveryRecord } from '../../../src/records/webhooks/deliveries.ts';
import { deliveryQueue } from '../../../src/records/webhooks/delivery-queue.ts';
import { createOutbox, type OutgoingEvent } from '../../../src/records/webhooks/outbox.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { webhookRecords, type WebhookRecord } from '../../../src/records/webhooks/webhooks.ts';
import { newDatabase } from '../records/database.ts';
import { TestClock } from '../test-clock.ts';
import { until } from '../until.ts';
import { WebhookSink } from './webhook-sink.ts';
import { testEncryptor } from '../records/encryptor.ts';

export const ACCOUNT_ID = 'account-1';

export type DeliveryService = Awaited<ReturnType<typeof openDeliveries>>;

/** Outbox, records and sender wired as in the app, with a test clock and receivers on loopback. */
export async function openDeliveries({ post }: { post?: Post } = {}) {
  const clock = new TestClock();
  const db = await newDatabase();
  await db.insertInto('accounts').values({ id: ACCOUNT_ID, name: 'one', created_at: 0 }).execute();
  const encryptor = testEncryptor();
  const lists = new Lists(randomBytes(32));
  const webhooks = webhookRecords(db, encryptor, lists);
  const deliveries = deliveryRecords(db, encryptor, lists);
  const queue = deliveryQueue(db, encryptor);
  const logged: Record<string, unknown>[] = [];
  const log = createLog(
    { name: 'test' },
    { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const sinks: WebhookSink[] = [];
  const senders: Deliveries[] = [];

  const results: string[] = [];
  const events: DeliveryEvents = new TypedEvents((error) => {
    throw error;
  });
  events.on('delivery.tried', ({ result }) => results.push(result));

  /** Another control plane on the same records. */
  function addSender(): Deliveries {
    const sender = new Deliveries({
      queue,
      post: post ?? httpPost(createOutgoing(LOOPBACK_NETWORKS)),
      clock,
      log,
      random: () => 0,
      userAgent: 'Troupe/test',
      events,
    });
    senders.push(sender);
    return sender;
  }
  const sender = addSender();
  const outbox = createOutbox({
    database: db,
    encryptor,
    lists,
    clock,
    onQueued: (ids) => sender.wake(ids),
  });

  async function find(webhookId: string): Promise<DeliveryRecord[]> {
    const { data } = await deliveries.page(webhookId, { limit: 50 });
    return data.toReversed();
  }

  return {
    clock,
    db,
    webhooks,
    deliveries,
    queue,
    lists,
    outbox,
    sender,
    addSender,
    logged,
    /** The result of each attempt, in order. */
    results,

    /** Creates a receiver and a webhook that points to it. */
    async addSink(fields: Partial<WebhookRecord> = {}) {
      const sink = await WebhookSink.open(() => clock.now());
      sinks.push(sink);
      const webhook = await this.addWebhook({ url: sink.url, ...fields });
      sink.trust(webhook.secret);
      return { sink, webhook };
    },

    async addWebhook(fields: Partial<WebhookRecord> = {}): Promise<WebhookRecord> {
      const webhook: WebhookRecord = {
        id: newRecordId(),
        accountId: ACCOUNT_ID,
        url: 'https://receiver.example',
        events: ['message'],
        description: '',
        secret: newSigningSecret(),
        formerSecret: null,
        formerSecretUntil: null,
        status: 'enabled',
        disabledReason: null,
        failingSince: null,
        createdAt: clock.now(),
        ...fields,
      };
      await webhooks.insert(webhook, 1000);
      return webhook;
    },

    /** Emits an event about `subject` in its own transaction. */
    async addEvent(subject: string, fields: Partial<OutgoingEvent> = {}): Promise<void> {
      const event = { accountId: ACCOUNT_ID, subject, type: 'message', data: { subject } };
      await db.transaction().execute((trx) => outbox.add(trx, { ...event, at: 0, ...fields }));
    },

    /** Sends all emitted events now. */
    wake: () => clock.advance(50),

    /** In the order of emission. */
    find,

    /** Resolves when the only delivery of this webhook has had this many attempts. */
    async tried(webhookId: string, attempts: number): Promise<DeliveryRecord> {
      await until(async () => (await find(webhookId))[0]?.attempts === attempts);
      const [delivery] = await find(webhookId);
      if (!delivery) throw new Error('no delivery');
      return delivery;
    },

    async delivered(webhookId: string, count: number): Promise<void> {
      await until(async () => {
        const { data } = await deliveries.page(webhookId, { limit: 50, status: 'delivered' });
        return data.length === count;
      });
    },

    async close(): Promise<void> {
      await Promise.all(sinks.map((sink) => sink.close()));
      await Promise.all(senders.map((each) => each.close()));
      await db.destroy();
      expect(clock.waiting, 'timers left').toBe(0);
      expect(
        sinks.flatMap(({ bad }) => bad),
        'bad signatures',
      ).toEqual([]);
    },
  };
}
