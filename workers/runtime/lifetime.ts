import { dispose } from '@livekit/rtc-node';
import type { Log } from '#shared/log.ts';
import type { ControlLink } from './control-link.ts';
import type { Slots } from './slots.ts';

/** How long the end of a session may take to be recorded when the service stops. */
const RECORD_MS = 1_500;

export type LifetimeParts = {
  slots: Slots;
  link: ControlLink;
  log: Log;
  /** Ends what this worker has beside its sessions. */
  close: () => Promise<void>;
};

/** Performs what this process is given, until it is told to stop; then the process exits. */
export function serve({ slots, link, log, close }: LifetimeParts): void {
  let isToldToDrain = false;
  let isExiting = false;

  async function drain(): Promise<void> {
    if (isToldToDrain) return stop();
    isToldToDrain = true;
    slots.drain();
  }

  async function stop(): Promise<void> {
    await slots.endAll('service_stopped', RECORD_MS);
    await exit(0);
  }

  /** What still runs is dropped: the control plane places it elsewhere. */
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
    log.fatal({ err: error }, 'stopping failed');
    process.exit(1);
  };
  process.on('SIGTERM', () => void drain().catch(failed));
  process.on('SIGINT', () => void stop().catch(failed));
  // Our parent is gone, perhaps killed: nothing that it started may stay.
  process.on('disconnect', () => void stop().catch(failed));
  void link.dismissed.then(() => exit(1)).catch(failed);
  // Also when the control plane asked for it; under a stop of our own this comes second and does nothing.
  void slots.drained.then(() => exit(0)).catch(failed);
  slots.open();
}
