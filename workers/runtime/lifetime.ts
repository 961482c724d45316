import { dispose } from '@livekit/rtc-node';
import type { Log } from '#shared/log.ts';
import type { ControlLink } from './control-link.ts';
import type { Slots } from './slots.ts';

/** Limit for the acknowledgement of ends when the service stops. */
const RECORD_MS = 1_500;

type LifetimeParts = {
  slots: Slots;
  link: ControlLink;
  log: Log;
  /** Closes everything else that the worker owns. */
  close: () => Promise<void>;
};

/** Serves until a signal, the parent's exit or the gateway ends it; then exits the process. */
export function serve({ slots, link, log, close }: LifetimeParts): void {
  let isDraining = false;
  let isExiting = false;

  async function drain(): Promise<void> {
    if (isDraining) return stop();
    isDraining = true;
    slots.drain();
  }

  async function stop(): Promise<void> {
    await slots.endAll('service_stopped', RECORD_MS);
    await exit(0);
  }

  /** Drops running sessions: the control plane places them again. */
  async function exit(code: number): Promise<void> {
    if (isExiting) return;
    isExiting = true;
    await slots.close();
    await link.close();
    await close();
    await dispose();
    process.exit(code);
  }

  const failed = (error: unknown) => {
    log.fatal({ err: error }, 'shutdown failed');
    process.exit(1);
  };
  process.on('SIGTERM', () => void drain().catch(failed));
  process.on('SIGINT', () => void stop().catch(failed));
  // The parent process is gone, possibly killed: do not outlive it.
  process.on('disconnect', () => void stop().catch(failed));
  void link.dismissed.then(() => exit(1)).catch(failed);
  // Also after a drain ordered by the control plane. After `stop`, `exit` has run already.
  void slots.drained.then(() => exit(0)).catch(failed);
  slots.open();
}
