// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { Pages } from '../pages.ts';
import type { RequestOptions } from '../request-options.ts';
import { segment, type Transport } from '../transport.ts';
import type * as models from './models.ts';

export type WebhooksListParams = {
  limit?: number;
};

export type WebhooksRotateSecretParams = {
  overlap_hours?: number;
};

export type WebhooksDeliveriesParams = {
  limit?: number;
  status?: 'pending' | 'delivered' | 'failed';
};

export class WebhooksResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Create webhook. Events are posted to it from now on, starting with a `test`. At most 50 per
   * account.
   */
  create(
    body: models.WebhookRequest,
    options: RequestOptions = {},
  ): Promise<models.WebhookWithSecret> {
    return this.#transport.json(
      { method: 'POST', path: '/v1/webhooks', body, takesKey: true },
      options,
    );
  }

  /** List webhooks. Most recent first. */
  list(query: WebhooksListParams = {}, options: RequestOptions = {}): Pages<models.Webhook> {
    return this.#transport.pages({ method: 'GET', path: '/v1/webhooks', query }, options);
  }

  /** Retrieve webhook. */
  retrieve(id: string, options: RequestOptions = {}): Promise<models.Webhook> {
    return this.#transport.json({ method: 'GET', path: `/v1/webhooks/${segment(id)}` }, options);
  }

  /**
   * Update webhook. Omitted fields keep their values. A `test` event is sent when the URL changes or
   * the webhook is enabled again.
   */
  update(id: string, body: models.WebhookChanges, options: RequestOptions = {}): Promise<void> {
    return this.#transport.nothing(
      { method: 'PATCH', path: `/v1/webhooks/${segment(id)}`, body },
      options,
    );
  }

  /** Delete webhook. Pending deliveries are deleted too. */
  delete(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#transport.nothing(
      { method: 'DELETE', path: `/v1/webhooks/${segment(id)}` },
      options,
    );
  }

  /**
   * Rotate webhook secret. Deliveries are signed with both secrets for `overlap_hours`, so that
   * receivers can change without a gap, and then with the new one only. Use 0 if the former secret
   * is known to others.
   */
  rotateSecret(
    id: string,
    query: WebhooksRotateSecretParams = {},
    options: RequestOptions = {},
  ): Promise<models.WebhookWithSecret> {
    return this.#transport.json(
      { method: 'POST', path: `/v1/webhooks/${segment(id)}/rotate-secret`, query },
      options,
    );
  }

  /**
   * List webhook deliveries. Most recent first. Deliveries are deleted after 30 days, or as
   * RETENTION_DAYS says.
   */
  deliveries(
    id: string,
    query: WebhooksDeliveriesParams = {},
    options: RequestOptions = {},
  ): Pages<models.WebhookDelivery> {
    return this.#transport.pages(
      { method: 'GET', path: `/v1/webhooks/${segment(id)}/deliveries`, query },
      options,
    );
  }

  /** Retrieve webhook delivery. With the body that is sent. */
  delivery(
    id: string,
    deliveryId: string,
    options: RequestOptions = {},
  ): Promise<models.WebhookDeliveryWithBody> {
    return this.#transport.json(
      { method: 'GET', path: `/v1/webhooks/${segment(id)}/deliveries/${segment(deliveryId)}` },
      options,
    );
  }

  /** Test webhook. Sends a `test` event, even if the webhook does not subscribe to it. */
  test(id: string, options: RequestOptions = {}): Promise<models.WebhookDelivery> {
    return this.#transport.json(
      { method: 'POST', path: `/v1/webhooks/${segment(id)}/test` },
      options,
    );
  }

  /**
   * Redeliver to webhook. Tries the delivery again as if it were new, in any state, after the
   * deliveries that must arrive before it.
   */
  redeliver(
    id: string,
    deliveryId: string,
    options: RequestOptions = {},
  ): Promise<models.WebhookDelivery> {
    return this.#transport.json(
      {
        method: 'POST',
        path: `/v1/webhooks/${segment(id)}/deliveries/${segment(deliveryId)}/redeliver`,
      },
      options,
    );
  }
}
