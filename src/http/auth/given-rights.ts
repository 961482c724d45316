/* Callers grant at most their own rights: by keys, invitations, roles and sign-in links. */
import type { FastifyRequest } from 'fastify';
import { areWithin } from '../../accounts/key-scopes.ts';
import { Fault } from '../../errors.ts';
import type { Records } from '../../records/open-records.ts';

type Rights = {
  /** Null: everything that the account may do. */
  scopes: readonly string[] | null;
  /** Whether they include the installation. */
  isOperator: boolean;
};

/**
 * Returns a function that says whether the caller has certain rights. Throws for a key that expires
 * or is limited to networks, because the rights it gives would not share these limits.
 */
export async function rightsOf(
  { apiKeys }: Pick<Records, 'apiKeys'>,
  { account, keyId, scopes, signedIn }: FastifyRequest,
): Promise<(rights: Rights) => boolean> {
  const key = keyId === null ? null : await apiKeys.find(account.id, keyId);
  if (key && (key.expiresAt !== null || key.allowedNetworks !== null)) {
    const detail =
      'A key that expires or is limited to networks cannot give rights to others. Use a key without these limits, or the console.';
    throw new Fault('forbidden', { detail });
  }
  const operates = typeof signedIn?.person.operatorSince === 'number';
  return (rights) => areWithin(rights.scopes, scopes) && (operates || !rights.isOperator);
}
