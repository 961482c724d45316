import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Client } from './client.ts';
import { listen, portOf } from '../support/loopback.ts';

type ReceivedEvent = { type: string; sessionId: string };

/** A webhook receiver that removes duplicates by id, as receivers must. */
export class Receiver {
  readonly #server: Server;
  readonly #received = new Map<string, ReceivedEvent>();

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { type, data } = JSON.parse(Buffer.concat(chunks).toString()) as {
        type: string;
        data: { id: string };
      };
      this.#received.set(String(request.headers['webhook-id']), { type, sessionId: data.id });
      response.writeHead(204).end();
    });
  }

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    await listen(receiver.#server);
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}/hook`;
  }

  /** Subscribes to the events of sessions. `url`: another address of this receiver. */
  async subscribe(client: Client, url = this.url): Promise<void> {
    const events = ['session.started', 'session.ended'];
    const answer = await client.call('POST', '/v1/webhooks', { url, events });
    if (answer?.status !== 201) throw new Error(`no webhook: ${JSON.stringify(answer)}`);
  }

  /** Number of events of this type for the session. */
  count(type: string, sessionId: string): number {
    const events = [...this.#received.values()];
    return events.filter((event) => event.type === type && event.sessionId === sessionId).length;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}
