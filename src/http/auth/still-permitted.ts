import type { FastifyRequest } from 'fastify';
import { withoutPort } from '#shared/network/networks.ts';
import { permits, type Access, type KeyResource } from '../../accounts/key-scopes.ts';
import type { ApiKeys } from '../../accounts/keys.ts';
import { scopesOf } from '../../accounts/people/roles.ts';
import type { Services } from '../services.ts';
import { keyOf } from './credentials.ts';
import { PAGE_TOKEN_HEADER } from './page-token.ts';

/** Expiry, and changes that only the database tells, are noticed by looking. */
export const LOOK_EVERY_MS = 1_000;

/** Whether the caller of a long answer may still have it. */
export type StillPermitted = () => Promise<boolean>;

/**
 * The key may have been revoked, limited or expired since, and the person signed out, removed or
 * given another role. A page may have it while its token is valid.
 */
export function stillPermitted(
  request: FastifyRequest,
  { keys, signIns, pageTokens }: Services,
  resource: KeyResource,
  access: Access,
): StillPermitted {
  const text = keyOf(request);
  const address = withoutPort(request.ip);
  const { signedIn, scope } = request;
  if (signedIn) {
    return async () => {
      const person = (await signIns.refresh(signedIn.signIn))?.person;
      if (!person) return false;
      if (scope === 'operator') return person.operatorSince !== null;
      return person.role !== null && permits(scopesOf(person.role), resource, access);
    };
  }
  if (text === null) {
    const pageToken = String(request.headers[PAGE_TOKEN_HEADER]);
    return async () => pageTokens.opens(pageToken);
  }
  return async () => {
    const knownKey = await keys.check(text);
    if (!knownKey || keys.refusal(knownKey.key, address) !== null) return false;
    return permits(knownKey.key.scopes, resource, access);
  };
}

/**
 * Calls `end` when the caller may no longer have the answer. While the records are away the answer
 * goes on. Returns a function that stops looking.
 */
export function endWhenRefused(
  { keys, clock }: Pick<Services, 'clock'> & { keys: Pick<ApiKeys, 'onChanged'> },
  isPermitted: StillPermitted,
  end: () => void,
): () => void {
  let isStopped = false;
  let cancel: (() => void) | null = null;
  const look = async (): Promise<void> => {
    if (!(await isPermitted().catch(() => true)) && !isStopped) end();
  };
  const lookLater = () => {
    if (!isStopped) cancel = clock.after(LOOK_EVERY_MS, () => void look().then(lookLater));
  };
  const stopListening = keys.onChanged(() => void look());
  lookLater();
  return () => {
    isStopped = true;
    cancel?.();
    stopListening();
  };
}
