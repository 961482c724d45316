import { CLOSE, type CloseName } from '#protocol/worker/close-codes.ts';
import type { Refusal, WorkerState } from '../../../fleet/fleet.ts';
import { DIFFERENCES } from '../../../sessions/reconciliation/diff.ts';
import { code, meanings, table } from './tables.ts';

const states: Record<WorkerState, string> = {
  ready: 'The worker accepts sessions.',
  late: 'Its frames are late, even if it has free slots. It gets no sessions until it catches up.',
  resting:
    'It refused a session or did not respond. It is skipped for a moment, and the next worker is tried.',
  cordoned:
    'An operator withholds its slots. It keeps its sessions, and gets no others until it is resumed.',
  draining: 'It accepts nothing new, finishes its sessions, and stops.',
};

const reasons: Record<Refusal, string> = {
  full: 'All workers that can show the avatar are full. Sent after the wait.',
  draining: 'All workers that can show the avatar are draining. Sent after the wait.',
  no_worker_for_avatar:
    'No connected worker can show the avatar: none belongs to the pool, or none has the avatar. Sent at once, except in the first seconds after a start or after a worker has left.',
  no_agent_worker:
    'For calls: no connected agent worker of the pool can hold the conversation. Sent at once, with the same exceptions.',
  overflow_full:
    'No worker has a free slot, and the outside service of the pool has `max_sessions`. Sent after the wait.',
  overflow_ceiling:
    'No worker has a free slot, and another session at the outside service of the pool could exceed its cost ceiling. Sent after the wait.',
};

const closings: Record<CloseName, string> = {
  service_stopping: 'The control plane is stopping. Connect again: another one may answer.',
  bad_message: 'A message of yours does not match the protocol.',
  not_registered: 'No `register` came in time.',
  wrong_token: 'The token is not valid for this worker. Stop.',
  wrong_protocol: 'No common protocol version. Stop.',
  silent: 'You answered no pings or sent no beats.',
  replaced: 'Another connection has your `workerId`. Stop.',
  token_revoked: 'Try again every half minute.',
};

export const workerStates = (): string => meanings(['State', 'Meaning'], states);
export const refusalReasons = (): string => meanings(['Reason', 'Meaning'], reasons);
export const auditDifferences = (): string => meanings(['Difference', 'Meaning'], DIFFERENCES);

export const workerClosings = (): string =>
  table(
    ['Code', 'Meaning'],
    (Object.keys(closings) as CloseName[]).map((name) => [
      code(String(CLOSE[name].code)),
      closings[name],
    ]),
  );
