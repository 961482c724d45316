import type { BuiltApp } from './build-app.ts';
import type { WebhookSink } from './webhook-sink.ts';

export type Webhook = { id: string; secret: string };
export type Delivery = { id: string; type: string; status: string; attempts: number };

/** Requests to `/v1/webhooks`; `clear` deletes what they created. */
export class WebhookCalls {
  readonly #service: BuiltApp;
  readonly #ids: string[] = [];

  constructor(service: BuiltApp) {
    this.#service = service;
  }

  async create(sink: WebhookSink, fields: object = {}, headers = {}) {
    const events = ['session.started', 'session.ended'];
    const payload = { url: sink.url, events, ...fields };
    const reply = await this.#service.call('POST', '/v1/webhooks', { payload, headers });
    if (reply.statusCode === 201) this.#ids.push(reply.json().id);
    return reply;
  }

  /** Creates a webhook whose secret the receiver knows. */
  async created(sink: WebhookSink, fields: object = {}): Promise<Webhook> {
    const webhook = (await this.create(sink, fields)).json() as Webhook;
    sink.trust(webhook.secret);
    return webhook;
  }

  /** Most recent first. */
  async deliveries(id: string, query = ''): Promise<Delivery[]> {
    const reply = await this.#service.call('GET', `/v1/webhooks/${id}/deliveries${query}`);
    return reply.json().data;
  }

  /** Sends all emitted events now. */
  wake(): void {
    this.#service.clock.advance(50);
  }

  async clear(): Promise<void> {
    for (const id of this.#ids.splice(0)) await this.#service.call('DELETE', `/v1/webhooks/${id}`);
  }
}
