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
  let cancel = clock.after(everyMs, beat);

  function beat(): void {
    if (missed === MISSED) return onSilent();
    missed += 1;
    cancel = clock.after(everyMs, beat);
    ping();
  }

  return {
    heard: () => {
      missed = 0;
    },
    stop: () => cancel(),
  };
}
