import Type, { type Static } from 'typebox';
import type { AccountDomainRecord } from '../../records/people/account-domains.ts';
import { RoleField } from '../people/people-schemas.ts';
import { closed } from '../resource/closed-schema.ts';
import { isoTime, named, pageOf, Time } from '../resource/schema-parts.ts';

const Domain = Type.String({
  minLength: 3,
  maxLength: 253,
  description: 'The part of their e-mail addresses after the @.',
  examples: ['example.com'],
});

export const AccountDomainRequest = closed(
  Type.Object(
    { domain: Domain, role: Type.Optional({ ...RoleField, default: 'viewer' }) },
    { $id: 'AccountDomainRequest' },
  ),
);

export const AccountDomainBody = Type.Object(
  { id: Type.String({ format: 'uuid' }), domain: Type.String(), role: RoleField, created_at: Time },
  { $id: 'AccountDomain' },
);

export const AccountDomainPage = pageOf(named(AccountDomainBody), 'AccountDomainPage');

export const domainSchemas = [AccountDomainRequest, AccountDomainBody, AccountDomainPage];

export const toAccountDomainBody = ({
  id,
  domain,
  role,
  createdAt,
}: AccountDomainRecord): Static<typeof AccountDomainBody> => ({
  id,
  domain,
  role,
  created_at: isoTime(createdAt),
});
