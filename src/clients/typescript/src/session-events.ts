/*
 * Follows a session. Every stream of the service begins with the current state, so a broken one is
 * simply opened again; a state that was told already is not told twice.
 */
import { APIError, ConnectionError, TroupeError } from './errors.ts';
import { readEvents } from './event-stream.ts';
import type { Session } from './generated/models.ts';
import type { RequestOptions } from './request-options.ts';
import { backoffMs } from './retries.ts';
import { sleep, type Surroundings } from './surroundings.ts';

export type SessionEvent = {
  /** `session`: the state when the stream began. */
  event: 'session' | 'session.started' | 'session.ended';
  data: Session;
};

export type SessionEvents = AsyncGenerator<SessionEvent, void, undefined>;

/** The service sends something every 15 seconds. */
const SILENCE_MS = 45_000;

const MAX_RECONNECTS = 5;

export type StreamOptions = RequestOptions & {
  /**
   * How often a broken stream is opened again, without news or a sign of life in between.
   * Default: 5.
   */
  maxReconnects?: number;
  /** Called before the pause after which a broken stream is opened again. */
  onReconnect?: () => void;
};

/** `open` throws if the service refuses. */
export async function* sessionEvents(
  open: (signal: AbortSignal) => Promise<Response>,
  around: Surroundings,
  { signal, maxReconnects = MAX_RECONNECTS, onReconnect }: StreamOptions,
): SessionEvents {
  let latestType = '';
  let breaks = 0;
  while (true) {
    const silence = new Silence(around, SILENCE_MS);
    let cause: unknown;
    try {
      const response = await open(
        signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
      );
      for await (const message of readEvents(response.body!)) {
        silence.reset();
        if (message === null) {
          // The connection has lasted a while.
          breaks = 0;
          continue;
        }
        const event = { event: message.event, data: JSON.parse(message.data) } as SessionEvent;
        const { type } = event.data.status;
        if (type === latestType) continue;
        breaks = 0;
        latestType = type;
        yield event;
        if (type === 'completed') return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isBreak(error, silence)) throw error;
      cause = error;
    } finally {
      silence.close();
    }
    breaks += 1;
    if (breaks > maxReconnects) {
      if (cause instanceof TroupeError) throw cause;
      throw new ConnectionError('The event stream breaks again and again.', { cause });
    }
    onReconnect?.();
    await sleep(around, backoffMs(breaks, around.random()), signal);
  }
}

/** Reading a body that breaks off throws a TypeError. */
const isBreak = (error: unknown, silence: Silence): boolean =>
  silence.signal.aborted ||
  error instanceof ConnectionError ||
  error instanceof TypeError ||
  isAway(error);

/** A proxy answers so while the service behind it starts. */
const isAway = (error: unknown): boolean =>
  error instanceof APIError && error.isFromProxy && error.status >= 502;

/** Aborts when nothing arrives for a while. */
class Silence {
  readonly #limit = new AbortController();
  readonly #around: Surroundings;
  readonly #ms: number;
  #cancel: () => void;

  constructor(around: Surroundings, ms: number) {
    this.#around = around;
    this.#ms = ms;
    this.#cancel = this.#start();
  }

  get signal(): AbortSignal {
    return this.#limit.signal;
  }

  reset(): void {
    this.#cancel();
    this.#cancel = this.#start();
  }

  close(): void {
    this.#cancel();
  }

  #start(): () => void {
    return this.#around.after(this.#ms, () => this.#limit.abort());
  }
}
