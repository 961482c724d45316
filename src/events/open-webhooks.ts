import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { TypedEvents } from '#shared/typed-events.ts';
import { SOFTWARE_VERSION } from '#shared/process/version.ts';
import type { Outgoing } from '#shared/network/address-policy.ts';
import { httpPost } from '../egress/post.ts';
import type { Records } from '../records/open-records.ts';
import { Deliveries, type DeliveryEvents } from './deliveries.ts';

type WebhooksOptions = {
  records: Pick<Records, 'deliveryQueue' | 'createOutbox'>;
  outgoing: Outgoing;
  clock: Clock;
  log: Log;
};

/** The outbox stores events in the transaction that causes them; deliveries send them. */
export function openWebhooks({ records, outgoing, clock, log }: WebhooksOptions) {
  const events: DeliveryEvents = new TypedEvents((err) => log.error({ err }, 'listener failed'));
  const deliveries = new Deliveries({
    events,
    queue: records.deliveryQueue,
    post: httpPost(outgoing),
    clock,
    log,
    random: Math.random,
    userAgent: `Troupe/${SOFTWARE_VERSION}`,
  });
  const wake = (webhookIds: string[]) => deliveries.wake(webhookIds);
  return {
    events,
    outbox: records.createOutbox(wake),
    /** Call when these webhooks have new deliveries. */
    wake,
    start: () => deliveries.start(),
    close: () => deliveries.close(),
  };
}
