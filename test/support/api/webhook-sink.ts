import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import { PATIENCE_MS } from '../patience.ts';
import { listen, portOf } from '../loopback.ts';

export type Received = {
  /** The event's id, the same for each attempt. */
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
 * A webhook receiver on loopback over real HTTP. It verifies every signature itself and with the
 * package that receivers use, and answers 204 by default. Close it in every test.
 */
export class WebhookSink {
  /** In the order of arrival. */
  readonly received: Received[] = [];
  /** Signature errors. */
  readonly bad: string[] = [];
  answer: Answer = (response) => response.writeHead(204).end();
  /** Connections closed before an answer was complete. */
  brokenOff = 0;
  readonly #server: Server;
  readonly #now: () => number;
  readonly #secrets: string[] = [];
  readonly #arrivals = new EventEmitter();

  private constructor(now: () => number) {
    this.#now = now;
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  /** `now`: the time used to verify signatures. */
  static async open(now: () => number = Date.now): Promise<WebhookSink> {
    const sink = new WebhookSink(now);
    await listen(sink.#server);
    return sink;
  }

  get port(): number {
    return portOf(this.#server);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  /** Accepts signatures by this secret from now on. */
  trust(secret: string): void {
    this.#secrets.push(secret);
  }

  get types(): string[] {
    return this.received.map(({ payload }) => payload.type);
  }

  /** Resolves when this many requests have arrived in total. */
  async arrived(count: number): Promise<Received[]> {
    await this.when(() => this.received.length >= count);
    return this.received;
  }

  /** Resolves when `isTrue`, checked after each arrival. Rejects after `patienceMs`. */
  async when(isTrue: () => boolean, patienceMs = PATIENCE_MS): Promise<void> {
    const signal = AbortSignal.timeout(patienceMs);
    while (!isTrue()) await once(this.#arrivals, 'arrival', { signal });
  }

  /** Closes all open connections, answered or not. */
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

  // The package always uses the system clock.
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

/** Verification by the standard's text, without its package. */
export function isSigned(secret: string, { headers, body }: Received): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const signature = createHmac('sha256', key).update(signed).digest('base64');
  return String(headers['webhook-signature']).split(' ').includes(`v1,${signature}`);
}
