/* Making, changing and revoking API keys, for administrators and for the account itself. */
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { MadeKey } from '../../accounts/keys.ts';
import { Fault } from '../../errors.ts';
import type { AuditedRecords } from '../../records/audited-records.ts';
import type { ApiKeyRecord } from '../../records/accounts/api-keys.ts';
import { readKeyLimits } from './key-limits.ts';
import { found } from '../resource/resource-routes.ts';
import { toApiKeyBody, type ApiKeyChanges, type ApiKeyRequest } from '../admin/admin-schemas.ts';
import type { Services } from '../services.ts';

/** Throws for a key that the caller may not make, or make of another. */
export type CheckKey = (key: Pick<ApiKeyRecord, 'scope' | 'scopes'>) => void;

const checkNothing: CheckKey = () => {};

export async function makeKey(
  { keys, auditor, clock }: Services,
  request: FastifyRequest,
  accountId: string,
  { name, scope = 'all', ...limitFields }: Static<typeof ApiKeyRequest>,
  check: CheckKey = checkNothing,
): Promise<MadeKey> {
  const limits = readKeyLimits(limitFields, scope, clock.now());
  check({ scope, scopes: limits.scopes ?? null });
  const key = await auditor.create(
    request,
    ({ apiKeys }) => keys.make(name, { accountId, scope, ...limits }, apiKeys),
    (key) => ({
      action: 'api_key.created',
      targetId: key.id,
      accountId,
      after: toApiKeyBody(key),
    }),
  );
  request.log.info({ accountId, keyId: key.id, scope }, 'API key created');
  return key;
}

type Key = { accountId: string; keyId: string };

export async function changeKey(
  { records: { apiKeys }, keys, auditor, clock }: Services,
  request: FastifyRequest,
  { accountId, keyId }: Key,
  { name, ...limitFields }: ApiKeyChanges,
  check: CheckKey = checkNothing,
): Promise<ApiKeyRecord> {
  const record = found(await apiKeys.find(accountId, keyId));
  const limits = readKeyLimits(limitFields, record.scope, clock.now());
  check({ ...record, ...limits });
  const change = { ...(name !== undefined && { name }), ...limits };
  const changing = { action: 'api_key.updated', targetId: keyId, accountId } as const;
  const read = async ({ apiKeys }: AuditedRecords) => {
    const key = await apiKeys.find(accountId, keyId);
    return key && toApiKeyBody(key);
  };
  const key = found(
    await auditor.around(request, { ...changing, read }, ({ apiKeys }) =>
      apiKeys.change(accountId, keyId, change),
    ),
  );
  keys.changed();
  request.log.info({ accountId, keyId }, 'API key changed');
  return key;
}

export async function revokeKey(
  { keys, auditor, clock }: Services,
  request: FastifyRequest,
  { accountId, keyId }: Key,
): Promise<void> {
  const revoked = { action: 'api_key.revoked', targetId: keyId, accountId } as const;
  const isRevoked = await auditor.change(request, revoked, ({ apiKeys }) =>
    apiKeys.revoke(accountId, keyId, clock.now()),
  );
  if (!isRevoked) throw new Fault('not_found');
  keys.changed();
  request.log.info({ accountId, keyId }, 'API key revoked');
}
