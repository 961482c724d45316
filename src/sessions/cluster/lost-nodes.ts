import type { Log } from '#shared/log.ts';
import type { ClusterBus } from '../../cluster/cluster-bus.ts';
import type { SessionRecovery } from '../recovery/session-recovery.ts';
import type { SessionNotices, SessionRequests } from './messages.ts';

type LostNodesParts = {
  recovery: Pick<SessionRecovery, 'takeOver' | 'lookForWorkers'>;
  bus: ClusterBus<SessionRequests, SessionNotices>;
  log: Log;
};

/**
 * When a control plane is gone, another one takes its sessions over while their workers continue.
 */
export function recoverFromLostNodes({ recovery, bus, log }: LostNodesParts): void {
  bus.onGone(async (node) => {
    bus
      .publish(null, 'node_gone', { node })
      // A control plane that misses the notice repairs the difference by its reconciler.
      .catch((err: unknown) => log.warn({ err }, 'loss of a node not published'));
    recovery.lookForWorkers();
    await recovery.takeOver(node);
  });
  bus.onNotice('node_gone', () => recovery.lookForWorkers());
  bus.onForgotten(() => recovery.lookForWorkers());
}
