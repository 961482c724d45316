import { DEFAULT_POOL } from '#protocol/pool.ts';
import { mayUseId } from '#protocol/worker/worker-id.ts';
import type { Register } from '#protocol/worker/worker-messages.ts';
import type { WorkerGrant } from '../accounts/worker-tokens.ts';

type RegistrationProblem = 'kind' | 'pool' | 'id';

/**
 * The property of the worker for which its token is not valid; null if the token admits the worker.
 * `newest`: the newest connection under the same id.
 */
export function registrationProblem(
  { workerId, secret, kind, pool = DEFAULT_POOL }: Register,
  grant: WorkerGrant,
  newest: { tokenId: string | null } | null,
): RegistrationProblem | null {
  if (grant.kind !== null && grant.kind !== kind) return 'kind';
  if (grant.pool !== null && grant.pool !== pool) return 'pool';
  const { tokenHash, tokenId } = grant;
  if (!mayUseId(workerId, { kind, tokenHash, secret })) return 'id';
  // Ids of older workers prove nothing, but they stay with their token.
  if (newest && newest.tokenId !== tokenId) return 'id';
  return null;
}
