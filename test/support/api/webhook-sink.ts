import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';

export type Received = {
  /** The event's: the same at each try. */
  id: string;
  headers: IncomingHttpHeaders;
  body: string;
  payload: { type: string; timestamp: string; data: Record<string, unknown> } & Record<
    string,
    unknown
  >;
};

type Answer = (response: ServerResponse, received: Received) => void;

/**
 * A receiver of webhooks on loopback, over real HTTP. It checks every signature by itself and with the package that receivers use, and
 * answers 204 until it is told otherwise. Close it in every test.
 */
export class WebhookSink {
  /** In the order of arrival. */
  readonly received: Received[] = [];
  /** What was wrong with signatures. */
  readonly bad: string[] = [];
  answer: Answer = (response) => response.writeHead(204).end();
  /** Connections that were closed before an answer was complete. */
  brokenOff = 0;
  readonly #server: Server;
  readonly #now: () => number;
  readonly #secrets: string[] = [];
  readonly #arrivals = new EventEmitter();

  private constructor(now: () => number) {
    this.#now = now;
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  /** `now`: the time by which it judges signatures. */
  static async open(now: () => number = Date.now): Promise<WebhookSink> {
    const sink = new WebhookSink(now);
    sink.#server.listen(0, '127.0.0.1');
    await once(sink.#server, 'listening');
    return sink;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** From now on what is signed with this secret is right. */
  trust(secret: string): void {
    this.#secrets.push(secret);
  }

  get types(): string[] {
    return this.received.map(({ payload }) => payload.type);
  }

  /** Resolves when this many have arrived in all. */
  async arrived(count: number): Promise<Received[]> {
    await this.when(() => this.received.length >= count);
    return this.received;
  }

  /** Resolves when `isTrue`; looks after each arrival. Fails after `patienceMs`. */
  async when(isTrue: () => boolean, patienceMs = 10_000): Promise<void> {
    const signal = AbortSignal.timeout(patienceMs);
    while (!isTrue()) await once(this.#arrivals, 'arrival', { signal });
  }

  /** Ends connections that are open, answered or not. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('close', () => {
      if (!response.writableFinished) this.brokenOff += 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const id = String(request.headers['webhook-id']);
    const payload = JSON.parse(body) as Received['payload'];
    const received = { id, headers: request.headers, body, payload };
    this.#check(received);
    this.received.push(received);
    this.answer(response, received);
    this.#arrivals.emit('arrival');
  }

  #check(received: Received): void {
    if (this.#secrets.length === 0) return;
    const isRight = this.#secrets.some(
      (secret) => isSigned(secret, received) && this.#isVerified(secret, received),
    );
    if (!isRight) this.bad.push(received.id);
  }

  /** The package knows the machine's time only. */
  #isVerified(secret: string, { headers, body }: Received): boolean {
    const now = this.#now();
    const time = vi.spyOn(Date, 'now').mockReturnValue(now);
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    } finally {
      time.mockRestore();
    }
  }
}

/** By the letter of the standard, without its package. */
export function isSigned(secret: string, { headers, body }: Received): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  return headers['webhook-signature'] === `v1,${signature}`;
}
