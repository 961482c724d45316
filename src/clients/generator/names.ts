/* The place of an operation in a client: `troupe.<resource>.<method>()`. */

/** Operations that need another credential than an API key, and second names of others. */
const LEFT_OUT = [/^\/v1\/chat\//, /^\/v1\/livekit-rooms$/, /^\/admin\//];

const RESOURCES: Record<string, string> = { 'mediaserver-rooms': 'rooms' };

/** Where the rule below gives no good name. */
const METHODS: Record<string, string> = {
  'post /v1/agents/{id}/link-secret': 'createLinkSecret',
  'delete /v1/agents/{id}/link-secret': 'deleteLinkSecret',
  'post /v1/calls/{id}/token': 'createToken',
  'post /v1/sessions/{id}/token': 'createToken',
  'get /v1/auth/verify': 'verify',
  'get /v1/events': 'follow',
  'post /v1/export': 'create',
  'put /v1/fleet/canary': 'setCanary',
  'delete /v1/fleet/canary': 'deleteCanary',
  'get /v1/fleet/overflow': 'listOverflows',
  'get /v1/fleet/overflow/sessions': 'listOverflowSessions',
  'put /v1/fleet/overflow': 'setOverflow',
  'delete /v1/fleet/overflow': 'deleteOverflow',
  'post /v1/fleet/audit/repair': 'repair',
  'post /v1/fleet/worker-tokens': 'createWorkerToken',
  'delete /v1/fleet/worker-tokens/{id}': 'deleteWorkerToken',
  'post /v1/people/{id}/sign-in-links': 'createSignInLink',
  'get /v1/webhooks/{id}/deliveries/{delivery_id}': 'delivery',
};

const ON_COLLECTION: Record<string, string> = { get: 'list', post: 'create', patch: 'update' };
const ON_ITEM: Record<string, string> = { get: 'retrieve', patch: 'update', delete: 'delete' };

/** Resources that are one object, not a list. */
const SINGLE = ['account', 'history', 'usage'];

/** Both in camelCase; null: not part of the clients. */
export function placeOf(method: string, path: string): { resource: string; method: string } | null {
  if (LEFT_OUT.some((pattern) => pattern.test(path))) return null;
  const [collection = '', ...parts] = path.replace('/v1/', '').split('/');
  const resource = camelCase(RESOURCES[collection] ?? collection);
  return {
    resource,
    method: METHODS[`${method} ${path}`] ?? methodName(method, collection, parts),
  };
}

function methodName(method: string, collection: string, parts: string[]): string {
  const word = parts.findLast((part) => !part.startsWith('{'));
  if (word !== undefined) return camelCase(word);
  if (parts.length === 0 && method === 'get' && SINGLE.includes(collection)) return 'retrieve';
  const name = (parts.length > 0 ? ON_ITEM : ON_COLLECTION)[method];
  if (!name) throw new Error(`Name ${method} /v1/${collection} in METHODS`);
  return name;
}

export const camelCase = (text: string): string =>
  text.replace(/[-_ ]+(.)/g, (_, letter: string) => letter.toUpperCase());

export const pascalCase = (text: string): string =>
  camelCase(text).replace(/^./, (letter) => letter.toUpperCase());

export const snakeCase = (text: string): string =>
  text
    .replaceAll('-', '_')
    .replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();
