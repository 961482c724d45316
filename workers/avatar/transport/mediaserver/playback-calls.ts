import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { PLAYBACK_FINISHED, PLAYBACK_STARTED } from '#protocol/room-terms.ts';
import { endedWithRoom, faultLevel } from '../../../runtime/disconnects.ts';
import type { PlaybackFinished } from '../transport.ts';

const TRIES = 4;
const RETRY_MS = 100;
/** Limit for answers on a takeover, which delay the agent's next speech. */
const ANSWER_MS = 1_000;
/** LiveKit's RpcError code for a method that is not registered. */
const UNSUPPORTED_METHOD = 1400;

type Call = (method: string, payload: string) => Promise<unknown>;

/**
 * Reports playback to the agent. The agent counts `finished` calls, so they are sent one at a time
 * and retried, except when unsupported. An agent that does not support `started` receives no
 * more of them.
 */
export class PlaybackCalls {
  readonly #call: Call;
  readonly #clock: Clock;
  readonly #log: Log;
  #wantsStarted = true;
  #lastFinished: Promise<void> = Promise.resolve();
  #isClosed = false;
  #endWait = () => {};

  constructor(call: Call, clock: Clock, log: Log) {
    this.#call = call;
    this.#clock = clock;
    this.#log = log;
  }

  started(): void {
    if (!this.#wantsStarted) return;
    this.#call(PLAYBACK_STARTED, '').catch((error: unknown) => {
      if (codeOf(error) === UNSUPPORTED_METHOD) this.#wantsStarted = false;
    });
  }

  /** Not retried after `signal` aborts. */
  finished({ positionSeconds, interrupted }: PlaybackFinished, signal?: AbortSignal): void {
    // No other keys: Python's agents unpack this into a class that rejects unknown ones.
    const payload = JSON.stringify({ playback_position: positionSeconds, interrupted });
    this.#lastFinished = this.#lastFinished.then(() => this.#finished(payload, signal));
  }

  /**
   * Finishes segments of a previous worker, if any, and waits for the agent's replies up to
   * ANSWER_MS. Late calls would finish later segments.
   */
  answer(events: PlaybackFinished[]): Promise<void> {
    return new Promise((resolve) => {
      const timeout = new AbortController();
      const cancel = this.#clock.after(ANSWER_MS, () => {
        timeout.abort();
        this.#endWait();
        this.#log.warn('agent did not acknowledge interrupted segments in time');
        resolve();
      });
      for (const event of events) this.finished(event, timeout.signal);
      void this.#lastFinished.finally(cancel).then(resolve);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#endWait();
  }

  async #finished(payload: string, signal?: AbortSignal): Promise<void> {
    const isOver = () => this.#isClosed || signal?.aborted;
    for (let attempt = 1; attempt <= TRIES && !isOver(); attempt++) {
      try {
        await this.#call(PLAYBACK_FINISHED, payload);
        return;
      } catch (error) {
        if (isOver() || endedWithRoom(error)) return;
        this.#log[faultLevel(error)]({ err: error, attempt }, 'playback_finished call failed');
        if (codeOf(error) === UNSUPPORTED_METHOD) return;
        if (attempt < TRIES) await this.#wait();
      }
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(RETRY_MS, resolve);
      this.#endWait = () => {
        cancel();
        resolve();
      };
    });
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
