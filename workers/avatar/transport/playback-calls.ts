import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { PLAYBACK_FINISHED, PLAYBACK_STARTED } from '#protocol/room-terms.ts';
import type { PlaybackFinished } from './transport.ts';

const TRIES = 4;
const RETRY_MS = 100;
/** The face is waited for: an agent that takes longer for its answers has other troubles. */
const ANSWER_MS = 1_000;
/** LiveKit's RpcError code for a method that the other side does not have. */
const UNSUPPORTED_METHOD = 1400;

type Call = (method: string, payload: string) => Promise<unknown>;

/**
 * Tells the agent what sounds. `finished` calls leave one after the other: the agent counts them, so each is tried again, but never on
 * "unsupported", which no repetition mends. An agent that does not know `started` is not asked again in this session.
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

  /** Once `signal` is aborted it is tried no more. */
  finished({ positionSeconds, interrupted }: PlaybackFinished, signal?: AbortSignal): void {
    // No other keys: Python's agents unpack this into a class and fail on one that they do not know.
    const payload = JSON.stringify({ playback_position: positionSeconds, interrupted });
    this.#lastFinished = this.#lastFinished.then(() => this.#finished(payload, signal));
  }

  /** Tells of segments that another worker had, and waits until the agent has taken it; what could not be told in time is told no more. */
  answer(events: PlaybackFinished[]): Promise<void> {
    return new Promise((resolve) => {
      const late = new AbortController();
      const cancel = this.#clock.after(ANSWER_MS, () => {
        late.abort();
        this.#endWait();
        this.#log.warn('the agent did not take in time what was interrupted');
        resolve();
      });
      for (const event of events) this.finished(event, late.signal);
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
        if (isOver()) return;
        this.#log.warn({ err: error, attempt }, 'the agent did not take playback_finished');
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
