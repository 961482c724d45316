/*
 * Server-sent events. A stream ends when its sender ends it, the client disconnects or does not
 * read, its caller may no longer follow, or the server stops.
 */
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../../errors.ts';
import { endWhenRefused, type StillPermitted } from '../auth/still-permitted.ts';
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
  isKnown: StillPermitted;
};

type EventStreamsParts = Pick<Parameters<typeof endWhenRefused>[0], 'clock' | 'keys'> & {
  /** Open streams of one follower. */
  max: number;
};

/** Close before the server waits for open connections. */
export class EventStreams {
  readonly #parts: EventStreamsParts;
  readonly #open = new Set<EventStream>();
  readonly #counts = new Map<string, number>();
  #isClosed = false;

  constructor(parts: EventStreamsParts) {
    this.#parts = parts;
  }

  /** Throws `concurrency_limit` when the follower has too many streams. */
  open({ name, isKnown }: Follower): EventStream {
    const { max, clock } = this.#parts;
    // A request that arrived before the stop may get here after it.
    if (this.#isClosed) throw stopping();
    const count = this.#counts.get(name) ?? 0;
    if (count >= max) throw tooMany(max);
    const stream = new EventStream(clock);
    this.#open.add(stream);
    this.#counts.set(name, count + 1);
    stream.onClose(endWhenRefused(this.#parts, isKnown, () => stream.end()));
    stream.onClose(() => {
      this.#open.delete(stream);
      const remaining = (this.#counts.get(name) ?? 1) - 1;
      if (remaining > 0) this.#counts.set(name, remaining);
      else this.#counts.delete(name);
    });
    return stream;
  }

  close(): void {
    this.#isClosed = true;
    for (const stream of this.#open) stream.end();
  }
}

/** The streams of one route, which end with the server. */
export function openEventStreams(app: FastifyInstance, { keys, settings, clock }: Services) {
  const streams = new EventStreams({ max: settings.eventStreamsPerKey, keys, clock });
  app.addHook('preClose', async () => streams.close());
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
  readonly #body = new PassThrough();
  #cancelHeartbeat: () => void;

  constructor(clock: Clock) {
    this.#clock = clock;
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
    });
  }

  #write(text: string): void {
    if (!this.#body.writable) return;
    if (this.#body.writableLength > MAX_UNREAD) this.drop();
    else this.#body.write(text);
  }
}
