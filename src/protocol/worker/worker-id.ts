/*
 * The id of a worker follows from its kind, its token and a secret that its process makes. So only
 * that process can register under the id, even if another one knows it or has the same token.
 * Workers of older versions have ids of another form, which prove nothing.
 */
import { createHmac, hash } from 'node:crypto';
import { newSecret } from '#shared/ids.ts';
import type { WorkerKind } from './worker-messages.ts';

/** Sent with the id, to the gateway and with HTTP requests. */
export type WorkerIdentity = { workerId: string; secret: string };

/** An id is bound to these. `tokenHash`: SHA-256 of the token in hex. */
type Bound = { kind: WorkerKind; tokenHash: string; secret: string };

const BOUND_ID = /^(avatar|agent)-[\w-]{22}$/;

export function newWorkerIdentity(kind: WorkerKind, token: string): WorkerIdentity {
  const secret = newSecret();
  return { workerId: idOf({ kind, tokenHash: hashOfToken(token), secret }), secret };
}

const OVERFLOW = 'overflow:';

/**
 * To the sessions, the outside service of a pool is a worker, which no process may pretend to be.
 */
export const overflowWorkerId = (pool: string): string => `${OVERFLOW}${pool}`;

export const isOverflowWorker = (workerId: string): boolean => workerId.startsWith(OVERFLOW);

/** False: the id belongs to another process. */
export function mayUseId(
  workerId: string,
  { secret, ...bound }: Omit<Bound, 'secret'> & { secret: string | undefined },
): boolean {
  if (isOverflowWorker(workerId)) return false;
  if (!BOUND_ID.test(workerId)) return true;
  return secret !== undefined && idOf({ ...bound, secret }) === workerId;
}

export const hashOfToken = (token: string): string => hash('sha256', token);

/** 132 bits. */
const idOf = ({ kind, tokenHash, secret }: Bound): string =>
  `${kind}-${createHmac('sha256', secret).update(tokenHash).digest('base64url').slice(0, 22)}`;
