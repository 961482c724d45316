import type { Clock } from '#shared/clock.ts';

/** Unanswered pings before a worker counts as lost. */
const MAX_MISSED = 3;

type Heartbeat = {
  /** Any message of the worker counts. */
  heard(): void;
  stop(): void;
};

type HeartbeatOptions = {
  clock: Clock;
  everyMs: number;
  ping: () => void;
  /** Called once, after the heartbeat has stopped. */
  onSilent: () => void;
};

/** Detects a worker whose machine died: its connection stays open. */
export function startHeartbeat({ clock, everyMs, ping, onSilent }: HeartbeatOptions): Heartbeat {
  let missed = 0;
  // An interval: with thousands of workers, a new timer for each ping would be costly.
  const stop = clock.every(everyMs, () => {
    if (missed === MAX_MISSED) {
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
