/*
 * Shares the event loop between requests and everything else. Node handles all requests that have
 * arrived before it runs a timer or reads another socket; with too many of them, workers hear
 * nothing for seconds and take the control plane for dead. So a turn of the event loop starts
 * requests for a short time only. The others wait, and later turns start one each.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../../errors.ts';

/** For how long a turn may start requests while none waits. */
const TURN_MS = 10;
/** Most clients give up soon after, so the work would be lost. */
const MOST_WAIT_MS = 5_000;

type Waiting = { request: IncomingMessage; start: () => void; sinceMs: number };

export class RequestTurns {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #waiting: Waiting[] = [];
  readonly #late = new WeakSet<IncomingMessage>();
  /** Null before the first request of a turn. */
  #turnEndsAt: number | null = null;

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  /** Refuses requests that have waited too long. Call before any route is registered. */
  serve(app: FastifyInstance): void {
    app.addHook('onRequest', async ({ raw }) => {
      if (this.#late.has(raw)) throw tooLate();
    });
  }

  /** Calls `start` now, or in a later turn unless the client has left by then. */
  take(request: IncomingMessage, start: () => void): void {
    if (isLiveness(request) || (this.#waiting.length === 0 && this.#hasTime())) return start();
    this.#waiting.push({ request, start, sinceMs: this.#clock.elapsed() });
  }

  #hasTime(): boolean {
    const now = this.#clock.elapsed();
    if (this.#turnEndsAt === null) {
      this.#turnEndsAt = now + TURN_MS;
      setImmediate(() => this.#endTurn());
    }
    return now < this.#turnEndsAt;
  }

  #endTurn(): void {
    this.#turnEndsAt = null;
    let oldest = this.#waiting.shift();
    while (oldest?.request.socket.destroyed) oldest = this.#waiting.shift();
    if (!oldest) return;
    // Its promises are settled before the next one starts.
    setImmediate(() => this.#endTurn());
    if (this.#clock.elapsed() - oldest.sinceMs > MOST_WAIT_MS) this.#late.add(oldest.request);
    oldest.start();
  }
}

/** An orchestrator ends a process that does not answer. This answer costs almost nothing. */
const isLiveness = ({ url }: IncomingMessage): boolean => url === '/healthz';

const tooLate = (): Fault =>
  new Fault('at_capacity', {
    detail: 'The service has more requests than it can answer. Please try again shortly.',
    advice: 'Send fewer requests at the same time; try again after the seconds in Retry-After.',
    about: { reason: 'requests' },
    retryAfterSeconds: 2,
  });
