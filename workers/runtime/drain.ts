import type { Clock } from '#shared/clock.ts';
import { advanceDrain, type DrainEffect, type DrainEvent, type DrainState } from './drain-state.ts';

type DrainOptions = {
  clock: Clock;
  /** How long sessions may continue on this worker. */
  limitMs: number;
  /** Called when the handover begins. */
  onTimeUp: () => void;
};

/** Owns the timer of a worker's drain. */
export class Drain {
  readonly #options: DrainOptions;
  readonly #ended = Promise.withResolvers<void>();
  #state: DrainState = { type: 'idle' };
  #cancelTimer: () => void = () => {};

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

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  begin(): void {
    this.#dispatch({ type: 'begun', at: this.#options.clock.elapsed() });
  }

  /** Nothing is left to wait for. */
  end(): void {
    this.#dispatch({ type: 'finished' });
  }

  close(): void {
    this.#cancelTimer();
  }

  #dispatch(event: DrainEvent): void {
    const { state, effects } = advanceDrain(this.#state, event, this.#options.limitMs);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: DrainEffect): void {
    const { clock, onTimeUp } = this.#options;
    switch (effect.type) {
      case 'start_timer':
        this.#cancelTimer = clock.after(effect.ms, () => this.#dispatch({ type: 'timer' }));
        return;
      case 'stop_timer':
        return this.#cancelTimer();
      case 'report_time_up':
        return onTimeUp();
      case 'report_over':
        return this.#ended.resolve();
    }
  }
}
