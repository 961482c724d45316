/* Permissions of API keys, by resource. `write` includes `read`. */
import type { KeyScope } from '../records/accounts/api-keys.ts';

/** Named like the paths under `/v1`. `calls` includes rooms and conversations. */
export const KEY_RESOURCES = [
  'account',
  'agents',
  'api_keys',
  'audit_log',
  'avatars',
  'calls',
  'export',
  'external_apis',
  'fleet',
  'knowledge_files',
  'people',
  'sessions',
  'usage',
  'webhooks',
] as const;
export type KeyResource = (typeof KEY_RESOURCES)[number];

export type Access = 'read' | 'write';

export type ResourceScope = `${KeyResource}:${Access}`;

export const RESOURCE_SCOPES: readonly ResourceScope[] = KEY_RESOURCES.flatMap(
  (resource): ResourceScope[] => [`${resource}:read`, `${resource}:write`],
);

/** Operators' keys open the fleet and the audit log; other keys everything but the fleet. */
export const isOpenTo = (scope: KeyScope, to: string): boolean =>
  scope === 'operator' ? /^(fleet|audit_log):/.test(to) : !to.startsWith('fleet:');

/** `scopes`: null permits everything. */
export const permits = (
  scopes: readonly string[] | null,
  resource: KeyResource,
  access: Access,
): boolean =>
  scopes === null ||
  scopes.includes(`${resource}:write`) ||
  (access === 'read' && scopes.includes(`${resource}:read`));

/** Whether `scopes` permit nothing that `of` does not. */
export const areWithin = (
  scopes: readonly string[] | null,
  of: readonly string[] | null,
): boolean =>
  of === null ||
  (scopes !== null &&
    scopes.every((scope) => {
      const [resource, access] = scope.split(':') as [KeyResource, Access];
      return permits(of, resource, access);
    }));
