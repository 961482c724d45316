import Type, { type Static } from 'typebox';
import { RESOURCE_SCOPES, type ResourceScope } from '../../accounts/key-scopes.ts';
import type { PlanName } from '../../accounts/plan.ts';
import type { AccountRecord } from '../../records/accounts/accounts.ts';
import type { ApiKeyRecord } from '../../records/accounts/api-keys.ts';
import { CallStills, PlanField, RetentionDaysField } from '../account/account-schemas.ts';
import { closed } from '../resource/closed-schema.ts';
import { isoTime, named, pageOf, Text, Time } from '../resource/schema-parts.ts';
import { AccountDeletionBody } from '../erasure/erasure-schemas.ts';

/** OpenAPI fields of every admin route. */
export const adminDoc = { tags: ['Admin'], security: [{ adminPassword: [] }] };

const Scope = Type.Enum(['all', 'operator'], {
  type: 'string',
  description: '`all`: everything the account may do. `operator`: fleet and metrics only.',
});
const Name = Text(1, 100);
const MaybeTime = Type.Union([Time, Type.Null()]);

export const AccountRequest = closed(
  Type.Object({ name: Name, plan: Type.Optional(PlanField) }, { $id: 'AccountRequest' }),
);

const PictureConsent = Type.Union([Text(1, 1_000), Type.Null()], {
  description:
    "The account owner's statement that the people in session pictures consent. With it these pictures become avatars; null: they do not.",
});

const Pool = Type.Union([Text(1, 100), Type.Null()], {
  description: 'Only workers of this WORKER_POOL perform its sessions. null: the pool `default`.',
});

export const AccountChanges = closed(
  Type.Object(
    {
      name: Type.Optional(Name),
      plan: Type.Optional(PlanField),
      picture_consent: Type.Optional(PictureConsent),
      pool: Type.Optional(Pool),
      retention_days: Type.Optional(RetentionDaysField),
    },
    { $id: 'AccountChanges' },
  ),
);

export const AccountBody = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    plan: PlanField,
    picture_consent: PictureConsent,
    pool: Pool,
    retention_days: RetentionDaysField,
    call_stills: CallStills,
    created_at: Time,
  },
  { $id: 'Account' },
);

export const AccountPage = pageOf(named(AccountBody), 'AccountPage');

const Scopes = Type.Union(
  [
    Type.Array(Type.Enum(RESOURCE_SCOPES, { type: 'string' }), { minItems: 1, uniqueItems: true }),
    Type.Null(),
  ],
  {
    description:
      'Limits the key to some resources: `read` permits GET, `write` everything. Null: all resources of its `scope`. Vendor adapters need `sessions:write`.',
  },
);
const ExpiresAt = Type.Union([Time, Type.Null()], {
  description: 'The key is refused from then on. Null: never.',
});
const AllowedNetworks = Type.Union(
  [Type.Array(Text(2, 50), { minItems: 1, maxItems: 50 }), Type.Null()],
  {
    description: 'The only networks that the key may be used from, as CIDR blocks. Null: any.',
    examples: [['203.0.113.0/24', '2001:db8::/32']],
  },
);

export const ApiKeyRequest = closed(
  Type.Object(
    {
      name: Name,
      scope: Type.Optional(Scope),
      scopes: Type.Optional(Scopes),
      expires_at: Type.Optional(ExpiresAt),
      allowed_networks: Type.Optional(AllowedNetworks),
    },
    { $id: 'ApiKeyRequest' },
  ),
);

/** The account sends it. It cannot create keys of operators. */
export const OwnApiKeyRequest = closed(
  Type.Object(
    {
      name: Name,
      scopes: Type.Optional(Scopes),
      expires_at: Type.Optional(ExpiresAt),
      allowed_networks: Type.Optional(AllowedNetworks),
    },
    { $id: 'OwnApiKeyRequest' },
  ),
);

export const ApiKeyChanges = closed(
  Type.Object(
    {
      name: Type.Optional(Name),
      scopes: Type.Optional(Scopes),
      expires_at: Type.Optional(ExpiresAt),
      allowed_networks: Type.Optional(AllowedNetworks),
    },
    { $id: 'ApiKeyChanges' },
  ),
);
export type ApiKeyChanges = Static<typeof ApiKeyChanges>;

const keyFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  scope: Scope,
  scopes: Scopes,
  expires_at: ExpiresAt,
  allowed_networks: AllowedNetworks,
  created_at: Time,
  last_used_at: Type.Union([Time, Type.Null()], { description: 'Rounded to the minute.' }),
  last_used_address: Type.Union([Type.String(), Type.Null()], {
    description: 'Where it was used then.',
  }),
  revoked_at: MaybeTime,
};

export const ApiKeyBody = Type.Object(keyFields, { $id: 'ApiKey' });

export const MadeApiKey = Type.Object(
  { ...keyFields, key: Type.String({ description: 'Shown only once.' }) },
  { $id: 'MadeApiKey' },
);

export const ApiKeyPage = pageOf(named(ApiKeyBody), 'ApiKeyPage');

export const keySchemas = [OwnApiKeyRequest, ApiKeyChanges, ApiKeyBody, MadeApiKey, ApiKeyPage];

export const adminSchemas = [
  AccountDeletionBody,
  AccountRequest,
  AccountChanges,
  AccountBody,
  AccountPage,
  ApiKeyRequest,
];

export const toAccountBody = (account: AccountRecord): Static<typeof AccountBody> => ({
  id: account.id,
  name: account.name,
  plan: account.plan as PlanName,
  picture_consent: account.pictureConsent,
  pool: account.pool,
  retention_days: account.retention,
  call_stills: account.callStills,
  created_at: isoTime(account.createdAt),
});

export const toApiKeyBody = (key: ApiKeyRecord): Static<typeof ApiKeyBody> => ({
  id: key.id,
  name: key.name,
  scope: key.scope,
  scopes: key.scopes as ResourceScope[] | null,
  expires_at: timeOrNull(key.expiresAt),
  allowed_networks: key.allowedNetworks,
  created_at: isoTime(key.createdAt),
  last_used_at: timeOrNull(key.lastUsedAt),
  last_used_address: key.lastUsedAddress,
  revoked_at: timeOrNull(key.revokedAt),
});

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
