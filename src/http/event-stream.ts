/*
 * Events to open connections, as server-sent events. A stream is over when its sender ends it, when the client leaves, or when the server
 * stops. What a client missed is not kept: every stream begins with how things are, so `Last-Event-ID` has nothing to say.
 */
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Clock } from '#shared/clock.ts';

/** A comment, so that no proxy takes a quiet stream for dead. */
export const HEARTBEAT_MS = 15_000;

export const EVENT_STREAM = 'text/event-stream';

/** Close it before the server waits for its connections. */
export class EventStreams {
  readonly #clock: Clock;
  readonly #open = new Set<EventStream>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  open(): EventStream {
    const stream = new EventStream(this.#clock);
    this.#open.add(stream);
    stream.onOver(() => this.#open.delete(stream));
    return stream;
  }

  close(): void {
    for (const stream of this.#open) stream.end();
  }
}

export class EventStream {
  readonly #clock: Clock;
  readonly #body = new PassThrough();
  #cancelHeartbeat: () => void;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#cancelHeartbeat = this.#beatLater();
    this.onOver(() => this.#cancelHeartbeat());
  }

  send(event: string, data: unknown): void {
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  end(): void {
    this.#cancelHeartbeat();
    this.#body.end();
  }

  /** Nobody is to read it. */
  drop(): void {
    this.#body.destroy();
  }

  onOver(run: () => void): void {
    this.#body.once('close', run);
  }

  answer(reply: FastifyReply): Readable {
    reply
      .type(EVENT_STREAM)
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      // Kept for a next request, the connection would hold up a server that stops.
      .header('connection', 'close');
    return this.#body;
  }

  #beatLater(): () => void {
    return this.#clock.after(HEARTBEAT_MS, () => {
      this.#write(': still here\n\n');
      this.#cancelHeartbeat = this.#beatLater();
    });
  }

  #write(text: string): void {
    if (this.#body.writable) this.#body.write(text);
  }
}
