import type { Clock } from '#shared/clock.ts';

/** Pings that may stay unanswered before a worker counts as lost. */
const MISSED = 3;

export type Heartbeat = {
  /** Anything that the worker says is a sign of life. */
  heard(): void;
  stop(): void;
};

export type HeartbeatOptions = {
  clock: Clock;
  everyMs: number;
  ping: () => void;
  /** Called once; the heartbeat has stopped by then. */
  onSilent: () => void;
};

/** A worker whose machine died closes nothing: only its silence shows. */
export function startHeartbeat({ clock, everyMs, ping, onSilent }: HeartbeatOptions): Heartbeat {
  let missed = 0;
  // One timer for its whole life: thousands of workers each set a new one every few seconds.
  const stop = clock.every(everyMs, () => {
    if (missed === MISSED) {
      stop();
      return onSilent();
    }
    missed += 1;
    ping();
  });

  return {
    heard: () => {
      missed = 0;
    },
    stop,
  };
}
