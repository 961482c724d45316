/* The scope that a route needs, for keys that are limited to some resources. */
import type { FastifyRequest } from 'fastify';
import { permits, type KeyResource } from '../../accounts/key-scopes.ts';
import { Fault } from '../../errors.ts';

/** By the first part of the path under `/v1`. Null: every valid key may. */
const resources: Record<string, KeyResource | null> = {
  account: 'account',
  abilities: 'agents',
  agent: 'agents',
  agents: 'agents',
  'api-keys': 'api_keys',
  'audit-log': 'audit_log',
  auth: null,
  avatar: 'avatars',
  avatars: 'avatars',
  calls: 'calls',
  conversations: 'calls',
  events: 'sessions',
  export: 'export',
  'external-api': 'external_apis',
  'external-apis': 'external_apis',
  fleet: 'fleet',
  history: 'usage',
  invitations: 'people',
  'knowledge-files': 'knowledge_files',
  'livekit-rooms': 'calls',
  'mediaserver-rooms': 'calls',
  people: 'people',
  // Its agents get sessions.
  playground: 'sessions',
  'request-log': 'account',
  session: 'sessions',
  sessions: 'sessions',
  usage: 'usage',
  voices: 'agents',
  webhooks: 'webhooks',
};

/** Undefined for a path that has no scope yet: limited keys are then refused. */
export const resourceOf = (url: string): KeyResource | null | undefined =>
  resources[url.split('/')[2] ?? ''];

/** Throws if the caller's key is limited to other resources. */
export function requireScope({ scopes, signedIn, method, routeOptions }: FastifyRequest): void {
  if (scopes === null) return;
  const resource = resourceOf(routeOptions.url ?? '');
  if (resource === null) return;
  if (resource === undefined) throw new Fault('forbidden');
  const access = method === 'GET' || method === 'HEAD' ? 'read' : 'write';
  if (permits(scopes, resource, access)) return;
  const holder = signedIn ? 'Your role' : 'This API key';
  const detail = `${holder} lacks the scope \`${resource}:${access}\`.`;
  throw new Fault('forbidden', { detail });
}
