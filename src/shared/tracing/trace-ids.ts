import { traceIdOf } from './trace-context.ts';

/** Sessions of calls; each costs some 200 bytes. */
const MOST = 10_000;

/**
 * Trace ids by session, for spans and log lines. The two sessions of a call are in the call's
 * trace, all others in their own.
 */
export class TraceIds {
  readonly #ofCalls = new Map<string, string>();

  of(sessionId: string): string {
    return this.#ofCalls.get(sessionId) ?? traceIdOf(sessionId);
  }

  keep(sessionId: string, traceId: string): void {
    if (traceId === this.of(sessionId)) return;
    this.#ofCalls.set(sessionId, traceId);
    // Another process may have taken a session over without an end here.
    const [oldest] = this.#ofCalls.keys();
    if (this.#ofCalls.size > MOST && oldest !== undefined) this.#ofCalls.delete(oldest);
  }

  forget(sessionId: string): void {
    this.#ofCalls.delete(sessionId);
  }
}
