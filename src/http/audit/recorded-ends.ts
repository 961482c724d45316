/* Entries about sessions and calls that a client ended, each in the transaction of its end. */
import type { Clock } from '#shared/clock.ts';
import { statesOf } from '../../accounts/audit-states.ts';
import type { AuditLog } from '../../records/audit/audit-log.ts';
import type { CallRecords } from '../../records/calls/calls.ts';
import type { SessionRecord, SessionWatcher } from '../../records/sessions/sessions.ts';
import { toCallBody } from '../calls/call-schemas.ts';
import { toSessionBody } from '../sessions/session-schemas.ts';

type Parts = {
  auditLog: Pick<AuditLog, 'add'>;
  calls: Pick<CallRecords, 'get'>;
  clock: Pick<Clock, 'now'>;
};

/** Register it after the watcher that ends the call. */
export const recordEnds =
  ({ auditLog, calls, clock }: Parts): SessionWatcher =>
  async (trx, session, _change, cause) => {
    if (!cause) return;
    const { before: former, by } = cause;
    const toState =
      by.action === 'session.ended' || session.callId === null
        ? toSessionBody
        : toCallState(await calls.get(trx, session.callId));
    const { before, after } = statesOf(toState(former), toState(session));
    const { accountId } = session;
    await auditLog.add({ ...by, accountId, before, after, createdAt: clock.now() }, trx);
  };

/** A call follows its avatar session. */
const toCallState =
  (call: Parameters<typeof toCallBody>[0]) =>
  ({ status, startedAt, endedAt }: SessionRecord) =>
    toCallBody({ ...call, status, startedAt, endedAt });
