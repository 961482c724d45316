import { networksProblem } from '#shared/network/networks.ts';
import { isOpenTo } from '../../accounts/key-scopes.ts';
import { problem } from '../../errors.ts';
import type { KeyLimits, KeyScope } from '../../records/accounts/api-keys.ts';
import type { ApiKeyChanges } from '../admin/admin-schemas.ts';

/** Throws a Fault for limits that no request could meet. */
export function readKeyLimits(
  {
    scopes,
    expires_at: expiresAt,
    allowed_networks: allowedNetworks,
  }: Pick<ApiKeyChanges, 'scopes' | 'expires_at' | 'allowed_networks'>,
  scope: KeyScope,
  now: number,
): Partial<KeyLimits> {
  if (scopes) checkScopes(scopes, scope);
  if (allowedNetworks) checkNetworks(allowedNetworks);
  return {
    ...(scopes !== undefined && { scopes }),
    ...(expiresAt !== undefined && {
      expiresAt: expiresAt === null ? null : readExpiry(expiresAt, now),
    }),
    ...(allowedNetworks !== undefined && { allowedNetworks }),
  };
}

function checkScopes(scopes: readonly string[], scope: KeyScope): void {
  const at = scopes.findIndex((each) => !isOpenTo(scope, each));
  if (at < 0) return;
  const text = `Input is not available to a key of the scope '${scope}'`;
  throw problem('scope', ['body', 'scopes', at], text, scopes[at]);
}

function readExpiry(text: string, now: number): number {
  const time = Date.parse(text);
  if (time > now) return time;
  const advice = 'Input should be a time in the future. Revoke the key to refuse it now';
  throw problem('datetime_future', ['body', 'expires_at'], advice, text);
}

function checkNetworks(networks: readonly string[]): void {
  const at = networks.findIndex((text) => /[\s,]/.test(text) || networksProblem(text) !== null);
  if (at < 0) return;
  const advice = 'Input should be a network such as 203.0.113.0/24 or 2001:db8::/32';
  throw problem('network', ['body', 'allowed_networks', at], advice, networks[at]);
}
