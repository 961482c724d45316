import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { RetentionDays } from '../../records/engine/tables/account-columns.ts';
import type { Records } from '../../records/open-records.ts';
import type { ApiKeys } from '../keys.ts';
import { AccountDeletions } from './account-deletions.ts';
import { RetentionSweep } from './retention-sweep.ts';

type ErasureOptions = {
  records: Pick<
    Records,
    'accountErasure' | 'accountLists' | 'blobs' | 'outsideSessions' | 'retention'
  >;
  keys: Pick<ApiKeys, 'changed'>;
  endSessions: (accountId: string) => Promise<void>;
  /** The installation's retention. */
  days: RetentionDays;
  clock: Clock;
  log: Log;
};

export function openErasure({ records, keys, endSessions, days, clock, log }: ErasureOptions) {
  const { accountErasure: erasure, accountLists, blobs, outsideSessions, retention } = records;
  const swept = { retention, outsideSessions, accountLists };
  const sweep = new RetentionSweep({ ...swept, days, clock, log });
  const keysChanged = () => keys.changed();
  const deletions = new AccountDeletions({
    erasure,
    blobs,
    endSessions,
    keysChanged,
    clock,
    log,
  });
  return {
    deletions,
    start() {
      sweep.start();
      deletions.start();
    },
    async close() {
      await sweep.close();
      await deletions.close();
    },
  };
}
