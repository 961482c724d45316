/*
 * Server-sent events. A stream ends when its sender ends it, the client disconnects, or the server
 * stops. Every stream starts with the current state, so `Last-Event-ID` is ignored.
 */
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Clock } from '#shared/clock.ts';

/** Interval of the comment that keeps proxies from closing a quiet stream. */
export const HEARTBEAT_MS = 15_000;

export const EVENT_STREAM = 'text/event-stream';

/** Close before the server waits for open connections. */
export class EventStreams {
  readonly #clock: Clock;
  readonly #open = new Set<EventStream>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  open(): EventStream {
    const stream = new EventStream(this.#clock);
    this.#open.add(stream);
    stream.onClose(() => this.#open.delete(stream));
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
    this.#cancelHeartbeat = this.#scheduleHeartbeat();
    this.onClose(() => this.#cancelHeartbeat());
  }

  send(event: string, data: unknown): void {
    this.#write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  end(): void {
    this.#cancelHeartbeat();
    this.#body.end();
  }

  /** Discards the stream before it is sent as an answer. */
  drop(): void {
    this.#body.destroy();
  }

  onClose(run: () => void): void {
    this.#body.once('close', run);
  }

  answer(reply: FastifyReply): Readable {
    reply
      .type(EVENT_STREAM)
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      // A kept-alive connection would delay the server's shutdown.
      .header('connection', 'close');
    return this.#body;
  }

  #scheduleHeartbeat(): () => void {
    return this.#clock.after(HEARTBEAT_MS, () => {
      this.#write(': still here\n\n');
      this.#cancelHeartbeat = this.#scheduleHeartbeat();
    });
  }

  #write(text: string): void {
    if (this.#body.writable) this.#body.write(text);
  }
}
