/*
 * Server-sent events. A stream ends when its sender ends it, the client disconnects, its key is
 * revoked, or the server stops.
 */
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../errors.ts';

/** Interval of the comment that keeps proxies from closing a quiet stream. */
export const HEARTBEAT_MS = 15_000;

export const EVENT_STREAM = 'text/event-stream';

/** A caller that follows a stream. */
export type Follower = {
  /** Streams of equal names count together. */
  name: string;
  /** Whether it may still follow: its key may have been revoked. */
  isKnown(): Promise<boolean>;
};

type EventStreamsParts = {
  /** Open streams of one follower. */
  max: number;
  clock: Clock;
};

/** Close before the server waits for open connections. */
export class EventStreams {
  readonly #parts: EventStreamsParts;
  readonly #open = new Map<EventStream, Follower>();
  readonly #counts = new Map<string, number>();

  constructor(parts: EventStreamsParts) {
    this.#parts = parts;
  }

  /** Throws `concurrency_limit` when the follower has too many streams. */
  open(follower: Follower): EventStream {
    const { max, clock } = this.#parts;
    const { name } = follower;
    const count = this.#counts.get(name) ?? 0;
    if (count >= max) throw tooMany(max);
    const stream = new EventStream(clock, () => void this.#check(stream, follower));
    this.#open.set(stream, follower);
    this.#counts.set(name, count + 1);
    stream.onClose(() => {
      this.#open.delete(stream);
      const left = (this.#counts.get(name) ?? 1) - 1;
      if (left > 0) this.#counts.set(name, left);
      else this.#counts.delete(name);
    });
    return stream;
  }

  /** Ends the streams of followers that are no longer known. Call when a key has changed. */
  check(): void {
    for (const [stream, follower] of this.#open) void this.#check(stream, follower);
  }

  close(): void {
    for (const stream of this.#open.keys()) stream.end();
  }

  async #check(stream: EventStream, follower: Follower): Promise<void> {
    // While the records are away the stream continues; the next heartbeat checks again.
    if (!(await follower.isKnown().catch(() => true))) stream.end();
  }
}

const tooMany = (max: number): Fault =>
  new Fault('concurrency_limit', {
    detail: `This key follows ${max} sessions already. Close one of its event streams, or list the sessions instead.`,
  });

export class EventStream {
  readonly #clock: Clock;
  readonly #onHeartbeat: () => void;
  readonly #body = new PassThrough();
  #cancelHeartbeat: () => void;

  constructor(clock: Clock, onHeartbeat: () => void) {
    this.#clock = clock;
    this.#onHeartbeat = onHeartbeat;
    this.#cancelHeartbeat = this.#scheduleHeartbeat();
    this.onClose(() => this.#cancelHeartbeat());
  }

  /** `id`: sent back as `Last-Event-ID` by a client that reconnects. */
  send(event: string, data: unknown, id?: number | string): void {
    const name = id === undefined ? '' : `id: ${id}\n`;
    this.#write(`${name}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
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
      this.#onHeartbeat();
    });
  }

  #write(text: string): void {
    if (this.#body.writable) this.#body.write(text);
  }
}
