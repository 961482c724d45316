import Type, { type Static } from 'typebox';
import type { AdminSignIn } from '../../accounts/people/admin-sign-ins.ts';
import type { PersonRecord } from '../../records/people/people.ts';
import { closed } from '../resource/closed-schema.ts';
import { isoTime, named, pageOf, Time } from '../resource/schema-parts.ts';
import { Password, PersonName } from '../people/people-schemas.ts';

export const AdminRequest = closed(
  Type.Object({ name: PersonName, password: Password }, { $id: 'AdminRequest' }),
);

export const AdminChanges = closed(
  Type.Object(
    { name: Type.Optional(PersonName), password: Type.Optional(Password) },
    { $id: 'AdminChanges' },
  ),
);

export const AdminBody = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    created_at: Time,
    last_sign_in_at: Type.Union([Time, Type.Null()]),
  },
  { $id: 'Admin' },
);

export const AdminPage = pageOf(named(AdminBody), 'AdminPage');

export const SignInRequest = closed(
  Type.Object(
    { name: PersonName, password: Type.String({ minLength: 1, maxLength: 200 }) },
    { $id: 'SignInRequest' },
  ),
);

export const SignInBody = Type.Object(
  {
    token: Type.String({ description: 'Send it as `Authorization: Bearer`.' }),
    expires_at: Time,
    admin: named(AdminBody),
  },
  { $id: 'SignIn' },
);

export const administratorSchemas = [
  AdminRequest,
  AdminChanges,
  AdminBody,
  AdminPage,
  SignInRequest,
  SignInBody,
];

export const toAdminBody = (admin: PersonRecord): Static<typeof AdminBody> => ({
  id: admin.id,
  name: admin.name,
  created_at: isoTime(admin.createdAt),
  last_sign_in_at: admin.lastSignInAt === null ? null : isoTime(admin.lastSignInAt),
});

export const toSignInBody = ({
  admin,
  token,
  expiresAt,
}: AdminSignIn): Static<typeof SignInBody> => ({
  token,
  expires_at: isoTime(expiresAt),
  admin: toAdminBody(admin),
});
