import type { FastifyRequest } from 'fastify';
import { withoutPort } from '#shared/networks.ts';
import { permits, type Access, type KeyResource } from '../../accounts/key-scopes.ts';
import type { ApiKeys } from '../../accounts/keys.ts';
import { keyOf } from './credentials.ts';

/** Whether the caller of a long answer may still have it. */
export type StillPermitted = () => Promise<boolean>;

/** The key may have been revoked, limited or expired since. Pages have no key. */
export function stillPermitted(
  request: FastifyRequest,
  keys: Pick<ApiKeys, 'check' | 'refusal'>,
  resource: KeyResource,
  access: Access,
): StillPermitted {
  const text = keyOf(request);
  const address = withoutPort(request.ip);
  return async () => {
    if (text === null) return true;
    const known = await keys.check(text);
    if (!known || keys.refusal(known.key, address) !== null) return false;
    return permits(known.key.scopes, resource, access);
  };
}
