import type { Clock } from '#shared/clock.ts';

/**
 * Time for the control plane to move the remaining sessions, each at its next pause. After it, they
 * count as lost with this worker.
 */
export const HAND_OVER_MS = 15_000;

type DrainOptions = {
  clock: Clock;
  /** How long sessions may continue on this worker. */
  limitMs: number;
  /** Called when the handover begins. */
  onTimeUp: () => void;
};

/*
 * idle          sessions are accepted                          -> finishing on begin()
 * finishing     no new sessions; running ones continue         -> handing_over after `limitMs`
 * handing_over  the control plane moves the remaining ones     -> over after HAND_OVER_MS
 * over          nothing is left, or the time is up
 */
type State =
  | { type: 'idle' }
  | { type: 'finishing'; endsAt: number; cancel: () => void }
  | { type: 'handing_over'; cancel: () => void }
  | { type: 'over' };

export class Drain {
  readonly #options: DrainOptions;
  readonly #over = Promise.withResolvers<void>();
  #state: State = { type: 'idle' };

  constructor(options: DrainOptions) {
    this.#options = options;
  }

  get hasBegun(): boolean {
    return this.#state.type !== 'idle';
  }

  /** How much longer sessions may continue on this worker. Null while idle. */
  get leftMs(): number | null {
    switch (this.#state.type) {
      case 'idle':
        return null;
      case 'finishing':
        return Math.max(0, this.#state.endsAt - this.#options.clock.elapsed());
      case 'handing_over':
      case 'over':
        return 0;
    }
  }

  get over(): Promise<void> {
    return this.#over.promise;
  }

  begin(): void {
    if (this.#state.type !== 'idle') return;
    const { clock, limitMs } = this.#options;
    const cancel = clock.after(limitMs, () => this.#handOver());
    this.#state = { type: 'finishing', endsAt: clock.elapsed() + limitMs, cancel };
  }

  /** Nothing is left to wait for. */
  end(): void {
    this.close();
    this.#state = { type: 'over' };
    this.#over.resolve();
  }

  close(): void {
    if ('cancel' in this.#state) this.#state.cancel();
  }

  #handOver(): void {
    const cancel = this.#options.clock.after(HAND_OVER_MS, () => this.end());
    this.#state = { type: 'handing_over', cancel };
    this.#options.onTimeUp();
  }
}
