import Type, { type Static } from 'typebox';
import { PLANS, type PlanName } from '../../accounts/plan.ts';
import type { AccountRecord } from '../../records/accounts.ts';
import type { ApiKeyRecord } from '../../records/api-keys.ts';
import { isoTime, named, pageOf, Text, Time } from './common.ts';

const PlanField = Type.Unsafe<PlanName>(Type.Enum(Object.keys(PLANS), { type: 'string' }));
const Scope = Type.Enum(['all', 'operator'], {
  type: 'string',
  description: '`all`: everything the account may do. `operator`: fleet and metrics only.',
});
const Name = Text(1, 100);
const MaybeTime = Type.Union([Time, Type.Null()]);

export const AccountRequest = Type.Object(
  { name: Name, plan: Type.Optional(PlanField) },
  { $id: 'AccountRequest' },
);

const PictureConsent = Type.Union([Text(1, 1_000), Type.Null()], {
  description:
    "The account owner's statement that the people in session pictures consent. With it these pictures become avatars; null: they do not.",
});

const Pool = Type.Union([Text(1, 100), Type.Null()], {
  description: 'Only workers of this WORKER_POOL perform its sessions. null: the pool `default`.',
});

export const AccountChanges = Type.Object(
  {
    name: Type.Optional(Name),
    plan: Type.Optional(PlanField),
    picture_consent: Type.Optional(PictureConsent),
    pool: Type.Optional(Pool),
  },
  { $id: 'AccountChanges' },
);

export const AccountBody = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    plan: PlanField,
    picture_consent: PictureConsent,
    pool: Pool,
    created_at: Time,
  },
  { $id: 'Account' },
);

export const AccountPage = pageOf(named(AccountBody), 'AccountPage');

export const ApiKeyRequest = Type.Object(
  { name: Name, scope: Type.Optional(Scope) },
  { $id: 'ApiKeyRequest' },
);

const keyFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  scope: Scope,
  created_at: Time,
  last_used_at: Type.Union([Time, Type.Null()], { description: 'Rounded to the minute.' }),
  revoked_at: MaybeTime,
};

const ApiKeyBody = Type.Object(keyFields, { $id: 'ApiKey' });

export const MadeApiKey = Type.Object(
  { ...keyFields, key: Type.String({ description: 'Shown only once.' }) },
  { $id: 'MadeApiKey' },
);

export const ApiKeyPage = pageOf(named(ApiKeyBody), 'ApiKeyPage');

export const adminSchemas = [
  AccountRequest,
  AccountChanges,
  AccountBody,
  AccountPage,
  ApiKeyRequest,
  ApiKeyBody,
  MadeApiKey,
  ApiKeyPage,
];

export const toAccountBody = (account: AccountRecord): Static<typeof AccountBody> => ({
  id: account.id,
  name: account.name,
  plan: account.plan as PlanName,
  picture_consent: account.pictureConsent,
  pool: account.pool,
  created_at: isoTime(account.createdAt),
});

export const toApiKeyBody = (key: ApiKeyRecord): Static<typeof ApiKeyBody> => ({
  id: key.id,
  name: key.name,
  scope: key.scope,
  created_at: isoTime(key.createdAt),
  last_used_at: timeOrNull(key.lastUsedAt),
  revoked_at: timeOrNull(key.revokedAt),
});

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
