import Type, { type Static } from 'typebox';
import type { SignIn } from '../../accounts/admins/admins.ts';
import type { AdminRecord } from '../../records/admins/admins.ts';
import { closed } from '../resource/closed-schema.ts';
import { isoTime, named, pageOf, Text, Time } from '../resource/schema-parts.ts';

const Name = Text(1, 100);
const Password = Type.String({
  minLength: 12,
  maxLength: 200,
  description: 'At least 12 characters. Stored as a scrypt hash.',
});

export const AdminRequest = closed(
  Type.Object({ name: Name, password: Password }, { $id: 'AdminRequest' }),
);

export const AdminChanges = closed(
  Type.Object(
    { name: Type.Optional(Name), password: Type.Optional(Password) },
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
    { name: Text(1, 100), password: Type.String({ minLength: 1, maxLength: 200 }) },
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

export const adminNameSchemas = [
  AdminRequest,
  AdminChanges,
  AdminBody,
  AdminPage,
  SignInRequest,
  SignInBody,
];

export const toAdminBody = (admin: AdminRecord): Static<typeof AdminBody> => ({
  id: admin.id,
  name: admin.name,
  created_at: isoTime(admin.createdAt),
  last_sign_in_at: admin.lastSignInAt === null ? null : isoTime(admin.lastSignInAt),
});

export const toSignInBody = ({ admin, token, expiresAt }: SignIn): Static<typeof SignInBody> => ({
  token,
  expires_at: isoTime(expiresAt),
  admin: toAdminBody(admin),
});
