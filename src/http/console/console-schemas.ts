import Type, { type Static } from 'typebox';
import { SOFTWARE_VERSION } from '#shared/process/version.ts';
import { scopesOf } from '../../accounts/people/roles.ts';
import { endOf, type SignedIn } from '../../accounts/people/sign-ins.ts';
import type { PersonLinkRecord } from '../../records/people/person-links.ts';
import type { SignInRecord } from '../../records/people/sign-ins.ts';
import { closed } from '../resource/closed-schema.ts';
import { isoTime, Text, Time } from '../resource/schema-parts.ts';
import { Password, PersonName, RoleField } from '../people/people-schemas.ts';

const MaybeText = Type.Union([Type.String(), Type.Null()]);
const MaybeRole = Type.Union([RoleField, Type.Null()]);
const Code = Text(1, 100);
const GivenPassword = Type.String({ minLength: 1, maxLength: 200 });

export const Nothing = closed(Type.Object({}));
export const PasswordSignIn = closed(
  Type.Object({
    name: Text(1, 100),
    password: GivenPassword,
    /** Where people of several accounts have the name and the password. */
    person_id: Type.Optional(Text(1, 100)),
  }),
);
export const OpenidStart = closed(Type.Object({ link: Type.Optional(Code) }));
export const OpenidAddress = Type.Object({ url: Type.String() });
export const LinkCode = closed(Type.Object({ code: Code }));
export const LinkUse = closed(
  Type.Object({
    code: Code,
    name: Type.Optional(PersonName),
    password: Type.Optional(Password),
  }),
);
export const MeChanges = closed(
  Type.Object({
    name: Type.Optional(PersonName),
    password: Type.Optional(Password),
    current_password: Type.Optional(GivenPassword),
  }),
);

export const Ways = Type.Object({
  this_machine: Type.Boolean(),
  password: Type.Boolean(),
  openid: Type.Union([Type.Object({ name: Type.String() }), Type.Null()]),
  version: Type.String(),
});

export const Me = Type.Object({
  id: Type.String(),
  name: Type.String(),
  has_password: Type.Boolean(),
  role: MaybeRole,
  is_operator: Type.Boolean(),
  scopes: Type.Union([Type.Array(Type.String()), Type.Null()]),
  account: Type.Union([
    Type.Object({ id: Type.String(), name: Type.String(), plan: Type.String() }),
    Type.Null(),
  ]),
  expires_at: Time,
  version: Type.String(),
});

export const toMe = ({ person, account, signIn }: SignedIn): Static<typeof Me> => ({
  id: person.id,
  name: person.name,
  has_password: person.passwordHash !== null,
  role: person.role,
  is_operator: person.operatorSince !== null,
  scopes: person.role === null ? [] : scopesOf(person.role),
  account: account && { id: account.id, name: account.name, plan: account.plan },
  expires_at: isoTime(endOf(signIn)),
  version: SOFTWARE_VERSION,
});

export const LinkLook = Type.Object({
  kind: Type.Enum(['sign_in', 'invitation']),
  account: Type.Union([Type.Object({ id: Type.String(), name: Type.String() }), Type.Null()]),
  role: MaybeRole,
  is_operator: Type.Boolean(),
  name: MaybeText,
  expires_at: Time,
});

export const toLinkLook = (
  { personId, grants, expiresAt }: PersonLinkRecord,
  account: { id: string; name: string } | null,
): Static<typeof LinkLook> => ({
  kind: personId === null ? 'invitation' : 'sign_in',
  account: account && { id: account.id, name: account.name },
  role: grants.role,
  is_operator: grants.isOperator,
  name: grants.name,
  expires_at: isoTime(expiresAt),
});

export const Browsers = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      is_current: Type.Boolean(),
      address: Type.String(),
      user_agent: Type.String(),
      created_at: Time,
      last_seen_at: Time,
    }),
  ),
});

export const toBrowser = (
  { id, address, userAgent, createdAt, lastSeenAt }: SignInRecord,
  current: SignInRecord,
): Static<typeof Browsers>['data'][number] => ({
  id,
  is_current: id === current.id,
  address,
  user_agent: userAgent,
  created_at: isoTime(createdAt),
  last_seen_at: isoTime(lastSeenAt),
});
