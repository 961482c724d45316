import type { FastifyRequest } from 'fastify';
import { withoutPort } from '#shared/network/networks.ts';
import { permits, type Access, type KeyResource } from '../../accounts/key-scopes.ts';
import { scopesOf } from '../../accounts/people/roles.ts';
import type { Services } from '../services.ts';
import { keyOf } from './credentials.ts';

/** Whether the caller of a long answer may still have it. */
export type StillPermitted = () => Promise<boolean>;

/**
 * The key may have been revoked, limited or expired since, and the person signed out, removed or
 * given another role. Pages have neither.
 */
export function stillPermitted(
  request: FastifyRequest,
  { keys, signIns }: Services,
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
  return async () => {
    if (text === null) return true;
    const knownKey = await keys.check(text);
    if (!knownKey || keys.refusal(knownKey.key, address) !== null) return false;
    return permits(knownKey.key.scopes, resource, access);
  };
}
