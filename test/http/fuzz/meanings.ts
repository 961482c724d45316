/*
 * Meaning that schemas cannot express: values, rules between fields, and preconditions. A new route
 * needs an entry only if requests that its schemas allow are refused.
 */
import fc, { type Arbitrary } from 'fast-check';
import type { Operation } from './document.ts';
import { dataUrlOf, logoBytes } from '../../support/picture/logo.ts';
import { IdOf } from './world.ts';

/** Body and query fields that reference another resource. */
const references: [RegExp, string][] = [
  [/[/?]avatar_id$/, '/v1/avatars'],
  [/[/?]agent_id$/, '/v1/agents'],
  [/\/knowledge_files\/0$/, '/v1/knowledge-files'],
  [/\/api_id$/, '/v1/external-apis'],
];

/** Collections of no account. */
const shared = [
  '/v1/chat',
  '/admin/accounts',
  '/admin/admins',
  '/v1/fleet/workers',
  '/v1/fleet/worker-tokens',
];

export const isShared = ({ path }: Operation): boolean =>
  shared.some((collection) => path.startsWith(`${collection}/`));

/** Values that cannot be generated. */
export type Supplies = {
  roomTokens: string[];
  /** Address of the webhook receiver. */
  webhookUrl: string;
  administrator: { name: string; password: string };
};

type Fields = Record<string, unknown>;

export type Meaning = {
  /** Keyed by body pointer. */
  fields?: Record<string, Arbitrary<unknown>>;
  tidy?: (body: Fields) => Fields;
  tidyQuery?: (query: Fields) => Fields;
  /** Statuses besides those that any request of its kind may get. */
  others?: number[];
  /** Operation on the same resource that comes first. */
  before?: string;
};

/** Starts like one; the content does not matter here. */
const picture = fc
  .uint8Array({ maxLength: 500 })
  .map((bytes) => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), bytes]));

/** The fields that may change while a session runs. */
const scene = fc.record(
  {
    framing: fc.constantFrom('close', 'wide', { x: 0.4, y: 0.5, head: 0.6 }),
    background: fc.constantFrom('own', 'blur', 'green', '#102030', 'office'),
  },
  { requiredKeys: [] },
);
const video = fc
  .tuple(
    scene,
    fc.constantFrom({}, { preset: 'portrait' }, { width: 256, height: 1024 }, { fps: 15 }),
  )
  .map(([parts, size]) => ({ ...parts, ...size }));

/** Few, so that requests meet. */
const pool = fc.constantFrom('default', 'other');

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9';
const ROOM_URL = 'wss://media.their.example';
const BOT_URL = 'wss://bot.their.example/ws';

const tableOf = ({ roomTokens, webhookUrl, administrator }: Supplies): Record<string, Meaning> => {
  const toWebhook: Meaning = {
    fields: { '/url': fc.nat(9).map((path) => `${webhookUrl}/${path}`) },
  };
  const toAgent: Meaning = {
    fields: {
      '/allowed_origins': fc.subarray(['https://www.example.com', 'https://*.example.org']),
      '/appearance/logo': fc.constantFrom(null, dataUrlOf(logoBytes())),
      '/video': fc.option(video),
    },
    // All external APIs are language models.
    tidy: ({ stt: _stt, tts: _tts, embeddings: _embeddings, ...body }) =>
      Array.isArray(body['capabilities'])
        ? { ...body, capabilities: eachTypeOnce(body['capabilities']) }
        : body,
  };
  const toLlm: Meaning = {
    fields: {
      // Checks send requests to them.
      '/url': fc.constantFrom(`${NOWHERE}/v1`, `${NOWHERE}/`),
      '/type': fc.constant('openai_compatible_llm'),
    },
  };
  const toKey: Meaning = {
    fields: {
      // The only resource of both kinds of keys.
      '/scopes': fc.constantFrom(null, ['audit_log:read'], ['audit_log:write']),
      '/expires_at': fc.constantFrom(null, '2999-01-01T00:00:00Z'),
      '/allowed_networks': fc.constantFrom(null, ['203.0.113.0/24', '::1']),
    },
  };
  return {
    'POST /v1/sessions': {
      fields: {
        '/transport': fc.constantFrom('mediaserver', 'livekit', 'botroom', 'botroom'),
        '/url': fc.constantFrom(ROOM_URL, 'https://media.their.example:7443/path'),
        '/token': fc.constantFrom(...roomTokens),
        '/video': video,
      },
      tidy({ url, token, ...body }) {
        for (const older of ['livekit_url', 'livekit_token', 'transport_type']) delete body[older];
        // Without a room of the caller, most are botrooms: only they have other tokens.
        if (url === undefined && token === undefined) return { transport: 'botroom', ...body };
        // Half of them with a bot's address, for which no botroom is made. A bot needs no token.
        if (body['transport'] === 'botroom')
          return url === ROOM_URL
            ? { ...body, url: BOT_URL, ...(token !== undefined && { token }) }
            : body;
        return { ...body, url: url ?? ROOM_URL, token: token ?? roomTokens[0] };
      },
    },
    // It may have ended.
    'PATCH /v1/sessions/{id}': { fields: { '/video': scene }, others: [409] },
    'POST /v1/calls': { fields: { '/video': video } },
    'POST /v1/mediaserver-rooms': { fields: { '/video': video } },
    'POST /v1/livekit-rooms': { fields: { '/video': video } },
    'POST /v1/avatars': {
      fields: {
        '/picture': picture,
        '/background': fc.oneof(fc.constantFrom('blur', '#204060', '#AbCdEf'), picture),
      },
    },
    // Live ones are refused.
    'DELETE /v1/sessions/{id}': { before: 'POST /v1/sessions/{id}/end' },
    'DELETE /v1/calls/{id}': { before: 'POST /v1/calls/{id}/end' },
    // Built-in avatars belong to all accounts.
    'DELETE /v1/avatars/{id}': { others: [403] },
    'POST /v1/agents': toAgent,
    'PATCH /v1/agents/{id}': toAgent,
    'POST /v1/external-apis': toLlm,
    'PATCH /v1/external-apis/{id}': toLlm,
    // Only a real PDF can be submitted, so most files are text, either inline or in chunks.
    'POST /v1/knowledge-files': {
      fields: { '/format': fc.constantFrom('text', 'text', 'text', 'pdf') },
      tidy({ content, ...body }) {
        const isAtOnce = typeof content === 'string' && content.length % 3 === 0;
        return body['format'] === 'text' && isAtOnce ? { ...body, content } : body;
      },
    },
    'PUT /v1/knowledge-files/{id}/upload': {
      fields: { '?chunk_number': fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1) },
    },
    // Chunks may be missing or invalid.
    'POST /v1/knowledge-files/{id}/submit': {
      others: [400],
      before: 'PUT /v1/knowledge-files/{id}/upload',
    },
    // It has ended, but its user can still read it.
    'GET /v1/chat/{id}/calls/{call_id}': { others: [200] },
    'DELETE /v1/chat/{id}/calls/{call_id}': { others: [204] },
    // Only a call that was live, also when its agent is gone.
    'PUT /v1/chat/{id}/calls/{call_id}/rating': { others: [204, 409] },
    // The receipt of a deletion stays, and only a deleted account has one.
    'DELETE /admin/accounts/{id}': { others: [202] },
    'GET /admin/accounts/{id}/deletion': { others: [200, 404] },
    'POST /admin/accounts/{id}/keys': toKey,
    'PATCH /admin/accounts/{id}/keys/{keyId}': { ...toKey, others: [200] },
    'POST /v1/api-keys': toKey,
    // Revoked keys stay in the list.
    'PATCH /v1/api-keys/{id}': { ...toKey, others: [200] },
    'DELETE /v1/api-keys/{id}': { others: [204] },
    // A domain belongs to one account.
    'POST /admin/accounts/{id}/domains': {
      fields: { '/domain': fc.nat(999).map((number) => `company-${number}.example`) },
      others: [409],
    },
    // A role belongs to an account.
    'POST /admin/invitations': {
      tidy: ({ account_id: _account, role: _role, ...body }) => ({ ...body, is_operator: true }),
      others: [404],
    },
    'POST /admin/sign-ins': {
      fields: {
        '/name': fc.constant(administrator.name),
        '/password': fc.constant(administrator.password),
      },
      others: [401, 429],
    },
    // Revoked tokens stay in the list.
    'DELETE /admin/accounts/{id}/keys/{keyId}': { others: [204] },
    'DELETE /v1/fleet/worker-tokens/{id}': { others: [204] },
    // No worker.
    'POST /v1/fleet/rebalance': { others: [404] },
    // A pool is not compared with itself.
    'PUT /v1/fleet/canary': {
      fields: { '/pool': fc.constant('next'), '/stable_pool': fc.constant('default') },
    },
    'GET /v1/fleet/canary': { before: 'PUT /v1/fleet/canary', others: [404] },
    'DELETE /v1/fleet/canary': { before: 'PUT /v1/fleet/canary', others: [404] },
    // The key may be left out only where there is one.
    'PUT /v1/fleet/overflow': {
      tidy: (body) => ({ api_key: 'a-key', ...body }),
      fields: {
        '/url': fc.constant(NOWHERE),
        '/max_sessions': fc.constant(0),
        '/pool': pool,
      },
    },
    'DELETE /v1/fleet/overflow': {
      fields: { '?pool': pool },
      before: 'PUT /v1/fleet/overflow',
      others: [404],
    },
    'GET /v1/sessions': { tidyQuery: inOrder },
    // A filter by an agent that is gone finds its calls, or none.
    'GET /v1/calls': { others: [200] },
    'GET /v1/conversations': { others: [200] },
    // Other accounts are for operators.
    'GET /v1/audit-log': { tidyQuery: inOrder, others: [403] },
    'GET /v1/audit-log/export': { tidyQuery: inOrder, others: [403] },
    'POST /v1/webhooks': toWebhook,
    'PATCH /v1/webhooks/{id}': toWebhook,
  };
};

function inOrder(query: Fields): Fields {
  const { from, to } = query;
  const isTurned = typeof from === 'string' && typeof to === 'string' && from > to;
  return isTurned ? { ...query, from: to, to: from } : query;
}

const typeOf = (capability: unknown) => (capability as { type?: unknown }).type ?? capability;

function eachTypeOnce(capabilities: unknown[]): unknown[] {
  const types = capabilities.map(typeOf);
  return capabilities.filter((each, i) => types.indexOf(typeOf(each)) === i);
}

export type Meanings = (operation: Operation) => Meaning;

export function meaningsOf(supplies: Supplies): Meanings {
  const table = tableOf(supplies);
  return ({ name }) => table[name] ?? {};
}

/** Value of a meaningful field. `at` starts with `?` for a query. */
export const valueAt =
  ({ fields }: Meaning) =>
  (at: string): Arbitrary<unknown> | undefined => {
    const [, collection] = references.find(([place]) => place.test(at)) ?? [];
    if (collection) return fc.nat(29).map((pick) => new IdOf(collection, pick));
    return fields?.[at];
  };
