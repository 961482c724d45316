/* Roles of an account's people, as scopes of keys. */
import type { Role } from '../../records/people/people.ts';
import type { ResourceScope } from '../key-scopes.ts';

const builder: readonly ResourceScope[] = [
  'account:read',
  'agents:write',
  'api_keys:write',
  'audit_log:read',
  'avatars:write',
  'calls:write',
  'external_apis:write',
  'knowledge_files:write',
  'people:read',
  'sessions:write',
  'usage:read',
  'webhooks:write',
];

const viewer: readonly ResourceScope[] = [
  'account:read',
  'agents:read',
  'api_keys:read',
  'avatars:read',
  'calls:read',
  'external_apis:read',
  'knowledge_files:read',
  'people:read',
  'sessions:read',
  'usage:read',
  'webhooks:read',
];

const scopes: Record<Role, readonly ResourceScope[] | null> = { owner: null, builder, viewer };

/** Null: everything that the account may do. */
export const scopesOf = (role: Role): string[] | null => {
  const roleScopes = scopes[role];
  return roleScopes && [...roleScopes];
};
