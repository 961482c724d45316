import Type, { type Static } from 'typebox';
import { ROLES, type PersonRecord } from '../../records/people/people.ts';
import type { PersonLinkRecord } from '../../records/people/person-links.ts';
import { closed } from '../resource/closed-schema.ts';
import { Id, isoTime, named, pageOf, Time } from '../resource/schema-parts.ts';

/** Without control characters, which no one sees. */
export const PersonName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
});
export const Password = Type.String({
  minLength: 12,
  maxLength: 200,
  description: 'At least 12 characters. Stored as a scrypt hash.',
});

export const RoleField = Type.Enum(ROLES, {
  type: 'string',
  description:
    '`owner`: everything in the account. `builder`: everything but people, the account and its export. `viewer`: reads.',
});
const MaybeRole = Type.Union([RoleField, Type.Null()]);
const IsOperator = Type.Boolean({ description: 'Operates the installation.' });

export const PersonBody = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    role: MaybeRole,
    is_operator: IsOperator,
    has_password: Type.Boolean(),
    created_at: Time,
    last_sign_in_at: Type.Union([Time, Type.Null()]),
  },
  { $id: 'Person' },
);

export const PersonPage = pageOf(named(PersonBody), 'PersonPage');

export const PersonChanges = closed(Type.Object({ role: RoleField }, { $id: 'PersonChanges' }));

const hours = Type.Integer({ minimum: 1, maximum: 168, default: 72 });
const Link = Type.String({ description: 'Works once. Shown only once.' });

export const InvitationRequest = closed(
  Type.Object(
    {
      role: RoleField,
      name: Type.Optional({ ...PersonName, description: 'Default: the invited person chooses.' }),
      expires_in_hours: Type.Optional(hours),
    },
    { $id: 'InvitationRequest' },
  ),
);

/** An operator sends it. */
export const AdminInvitationRequest = closed(
  Type.Object(
    {
      account_id: Type.Optional(Id),
      role: Type.Optional(RoleField),
      is_operator: Type.Optional(IsOperator),
      name: Type.Optional(PersonName),
      expires_in_hours: Type.Optional(hours),
    },
    { $id: 'AdminInvitationRequest' },
  ),
);

const invitation = {
  id: Type.String({ format: 'uuid' }),
  role: MaybeRole,
  is_operator: IsOperator,
  name: Type.Union([Type.String(), Type.Null()]),
  created_at: Time,
  expires_at: Time,
};

export const InvitationBody = Type.Object(invitation, { $id: 'Invitation' });
export const MadeInvitation = Type.Object({ ...invitation, link: Link }, { $id: 'MadeInvitation' });
export const InvitationPage = pageOf(named(InvitationBody), 'InvitationPage');

export const SignInLink = Type.Object({ link: Link, expires_at: Time }, { $id: 'SignInLink' });

export const peopleSchemas = [
  PersonBody,
  PersonPage,
  PersonChanges,
  InvitationRequest,
  InvitationBody,
  MadeInvitation,
  InvitationPage,
  SignInLink,
];

export const toPersonBody = (person: PersonRecord): Static<typeof PersonBody> => ({
  id: person.id,
  name: person.name,
  role: person.role,
  is_operator: person.operatorSince !== null,
  has_password: person.passwordHash !== null,
  created_at: isoTime(person.createdAt),
  last_sign_in_at: person.lastSignInAt === null ? null : isoTime(person.lastSignInAt),
});

export const toInvitationBody = (link: PersonLinkRecord): Static<typeof InvitationBody> => ({
  id: link.id,
  role: link.grants.role,
  is_operator: link.grants.isOperator,
  name: link.grants.name,
  created_at: isoTime(link.createdAt),
  expires_at: isoTime(link.expiresAt),
});
