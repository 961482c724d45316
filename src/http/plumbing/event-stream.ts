/*
 * Server-sent events. A stream ends when its sender ends it, the client disconnects or does not
 * read, its key is revoked, or the server stops.
 */
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../../errors.ts';
import type { Services } from '../services.ts';

/** Interval of the comment that keeps proxies from closing a quiet stream. */
export const HEARTBEAT_MS = 15_000;

/**
 * A client that has not read this many bytes is disconnected. It comes back with what it missed.
 */
const MAX_UNREAD = 1024 ** 2;
/** How long an ended stream waits for its client to read the rest. */
const READ_WITHIN_MS = 5_000;

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
  #isClosed = false;

  constructor(parts: EventStreamsParts) {
    this.#parts = parts;
  }

  /** Throws `concurrency_limit` when the follower has too many streams. */
  open(follower: Follower): EventStream {
    const { max, clock } = this.#parts;
    const { name } = follower;
    // A request that arrived before the stop may get here after it.
    if (this.#isClosed) throw stopping();
    const count = this.#counts.get(name) ?? 0;
    if (count >= max) throw tooMany(max);
    const stream = new EventStream(clock, () => void this.#check(stream, follower));
    this.#open.set(stream, follower);
    this.#counts.set(name, count + 1);
    stream.onClose(() => {
      this.#open.delete(stream);
      const remaining = (this.#counts.get(name) ?? 1) - 1;
      if (remaining > 0) this.#counts.set(name, remaining);
      else this.#counts.delete(name);
    });
    return stream;
  }

  /** Ends the streams of followers that are no longer known. Call when a key has changed. */
  check(): void {
    for (const [stream, follower] of this.#open) void this.#check(stream, follower);
  }

  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open.keys()) stream.end();
  }

  async #check(stream: EventStream, follower: Follower): Promise<void> {
    // While the records are away the stream continues; the next heartbeat checks again.
    if (!(await follower.isKnown().catch(() => true))) stream.end();
  }
}

/** The streams of one route, which end with the server. */
export function openEventStreams(app: FastifyInstance, { keys, settings, clock }: Services) {
  const streams = new EventStreams({ max: settings.eventStreamsPerKey, clock });
  const stopListening = keys.onChanged(() => streams.check());
  app.addHook('preClose', async () => {
    stopListening();
    streams.close();
  });
  return streams;
}

const tooMany = (max: number): Fault =>
  new Fault('concurrency_limit', {
    detail: `You have ${max} of these event streams open already. Close one of them, or read the lists instead.`,
  });

const stopping = (): Fault =>
  new Fault('at_capacity', {
    detail: 'The service is stopping. Please try again shortly.',
    retryAfterSeconds: 2,
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
    if (this.#body.writableEnded) return;
    this.#cancelHeartbeat();
    this.onClose(this.#clock.after(READ_WITHIN_MS, () => this.drop()));
    this.#body.end();
  }

  /** Discards what the client has not read. */
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
    if (!this.#body.writable) return;
    if (this.#body.writableLength > MAX_UNREAD) this.drop();
    else this.#body.write(text);
  }
}
