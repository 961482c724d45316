import { dispose } from '@livekit/rtc-node';
import type { Clock } from '#shared/clock.ts';
import { onUncaught } from '#shared/process/uncaught.ts';
import type { Log } from '#shared/log.ts';
import type { ControlLink } from './control-link.ts';
import { isOfDroppedHandle } from './dropped-handles.ts';
import {
  advanceLifetime,
  type LifetimeEffect,
  type LifetimeEvent,
  type LifetimeState,
} from './lifetime-state.ts';
import type { Slots } from './slots.ts';

/** Limit for the acknowledgement of ends when the service stops. */
const RECORD_MS = 1_500;
/** Leaving all rooms has a limit, because promises of rtc-node 0.13.35 may never settle. */
const STOP_MS = 10_000;

type LifetimeParts = {
  slots: Slots;
  link: ControlLink;
  clock: Clock;
  log: Log;
  /** Closes everything else that the worker owns. */
  close: () => Promise<void>;
};

/**
 * Serves until a signal, the parent's exit, an uncaught error or the gateway ends it; then exits
 * the process.
 */
export function serve({ slots, link, clock, log, close }: LifetimeParts): void {
  let state: LifetimeState = 'serving';
  let isLimited = false;

  function dispatch(event: LifetimeEvent): void {
    const step = advanceLifetime(state, event);
    state = step.state;
    for (const effect of step.effects) perform(effect).catch(failed);
  }

  async function perform(effect: LifetimeEffect): Promise<void> {
    switch (effect.type) {
      case 'drain':
        return slots.drain();
      case 'end_sessions':
        limitStop();
        await slots.endAll('service_stopped', RECORD_MS);
        return dispatch('stopped');
      case 'exit':
        limitStop();
        await slots.close();
        await link.close();
        await close();
        await dispose();
        process.exit(effect.code);
    }
  }

  function limitStop(): void {
    if (isLimited) return;
    isLimited = true;
    clock.after(STOP_MS, () => failed(new Error(`not stopped within ${STOP_MS} ms`)));
  }

  const failed = (error: unknown) => {
    log.fatal({ err: error }, 'shutdown failed');
    process.exit(1);
  };
  process.on('SIGTERM', () => dispatch('terminated'));
  process.on('SIGINT', () => dispatch('interrupted'));
  // The parent process is gone, possibly killed: do not outlive it.
  process.on('disconnect', () => dispatch('interrupted'));
  void link.dismissed.then(() => dispatch('dismissed')).catch(failed);
  void link.registered.then(reportReady);
  onUncaught((error, kind) => {
    // It concerns no session: all others would end with this process.
    if (isOfDroppedHandle(error)) return log.warn({ err: error }, 'handle was dropped before');
    log.fatal({ err: error }, kind);
    dispatch('failed');
  });
  // Resolves also after a drain ordered by the control plane.
  void slots.drained.then(() => dispatch('drained')).catch(failed);
  slots.open();
}

/** Tells a parent that waits for this worker. The callback ignores that the parent is gone. */
function reportReady(): void {
  process.send?.({ type: 'ready' }, undefined, undefined, () => {});
}
