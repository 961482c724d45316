import path from 'node:path';
import Type, { type Static } from 'typebox';
import { COMMON_SETTINGS, NetworkList, readConfig, type Environment } from '#shared/config.ts';
import { LOOPBACK_NETWORKS } from '#shared/network/address-policy.ts';
import { parseNetworks } from '#shared/network/networks.ts';
import { DEFAULT_PORT } from '#shared/network/default-port.ts';
import { OperatorError } from '#shared/process/operator-error.ts';

const Config = Type.Object({
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: DEFAULT_PORT }),
  /** Address to listen on. `localhost` is 127.0.0.1. */
  HOST: Type.String({ default: '127.0.0.1' }),
  /** The address that callers use. Default: the address of each request. */
  PUBLIC_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  /**
   * Address of this control plane for the others that share REDIS_URL. Default: made of HOST and
   * PORT, or the machine's first address if HOST is 0.0.0.0 or ::.
   */
  NODE_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  /**
   * Origin of the room pages (`CHAT_URL/{agent id}`) if it differs from PUBLIC_URL. Must lead here
   * too.
   */
  CHAT_URL: Type.Optional(Type.String({ pattern: '^https?://[^/]+/?$' })),
  /**
   * Proxies in front of this service. Only their X-Forwarded-* headers are believed; limits and
   * logs then see the visitor's address instead of the proxy's.
   */
  TRUSTED_PROXIES: Type.Optional(NetworkList),
  /** Calls with one agent per hour and client address, without a key. */
  CHAT_CALLS_PER_HOUR: Type.Integer({ minimum: 0, default: 20 }),
  /** Open calls of room pages at the same time, per client address and per agent. */
  CHAT_CALLS_PER_ADDRESS: Type.Integer({ minimum: 0, default: 10 }),
  CHAT_CALLS_PER_AGENT: Type.Integer({ minimum: 0, default: 50 }),
  /**
   * Budgets of the visitors of room pages, per client address and day (UTC): tokens of language
   * models, characters of speech, and seconds of calls.
   */
  CHAT_TOKENS_PER_ADDRESS: Type.Integer({ minimum: 0, default: 1_000_000 }),
  CHAT_SPEECH_PER_ADDRESS: Type.Integer({ minimum: 0, default: 250_000 }),
  CHAT_SECONDS_PER_ADDRESS: Type.Integer({ minimum: 0, default: 36_000 }),
  /** Shows on the room page that the speaker is an AI avatar. Many laws require such a notice. */
  CHAT_AI_LABEL: Type.Enum(['on', 'off'], { default: 'on' }),
  /** PostgreSQL connection string. Default: an SQLite file in DATA_DIR. */
  DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  /**
   * MiB of the disk with DATA_DIR to keep free: below it, requests that store something are refused
   * with 507. Without effect with DATABASE_URL.
   */
  MIN_FREE_MIB: Type.Integer({ minimum: 0, default: 256 }),
  /**
   * Redis connection string. Required to run several control planes, which also share DATABASE_URL
   * and the secret keys.
   */
  REDIS_URL: Type.Optional(Type.String({ pattern: '^rediss?://' })),
  /**
   * Days after which data is deleted: `90`, or
   * `sessions=365,calls=365,transcripts=90,timelines=30,deliveries=30`. Default: deliveries after
   * 30 days, the rest is kept.
   */
  RETENTION_DAYS: Type.Optional(Type.String()),
  /** Enables the admin API and remote access to the try page. */
  TROUPE_ADMIN_PASSWORD: Type.Optional(
    // Sent in a header: printable ASCII without spaces at either end.
    Type.String({ minLength: 12, pattern: '^[\\x21-\\x7e][\\x20-\\x7e]*[\\x21-\\x7e]$' }),
  ),
  /**
   * The address of an OpenID provider, by which people may sign in to the console. It returns them
   * to PUBLIC_URL/console/api/openid/callback. Without TLS on this machine only.
   */
  OPENID_ISSUER: Type.Optional(
    Type.String({
      pattern:
        '^(https://[^/?#@]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?)(/[^?#]*)?$',
    }),
  ),
  /** The client id of this service at the provider. */
  OPENID_CLIENT_ID: Type.Optional(Type.String({ minLength: 1 })),
  OPENID_CLIENT_SECRET: Type.Optional(Type.String({ minLength: 1 })),
  /** The provider's name, on the button. */
  OPENID_NAME: Type.String({ minLength: 1, maxLength: 50, default: 'Single sign-on' }),
  /** Per key. */
  REQUESTS_PER_MINUTE: Type.Integer({ minimum: 1, default: 6000 }),
  /** Event streams that one key may hold open at this control plane. */
  EVENT_STREAMS_PER_KEY: Type.Integer({ minimum: 1, default: 100 }),
  /**
   * MiB of memory for request bodies under way; half of it, at least the largest body, for one
   * account. Further requests wait, then get 503.
   */
  BODY_MEMORY_MIB: Type.Integer({ minimum: 68, default: 96 }),
  /** MiB of the disk with DATA_DIR for large bodies on their way in; half of it for one account. */
  BODY_DISK_MIB: Type.Integer({ minimum: 68, default: 512 }),
  /** MiB of answers that clients have not read yet; half of it for one address. */
  UNREAD_ANSWERS_MIB: Type.Integer({ minimum: 16, default: 128 }),
  /**
   * Private networks that callers may name in room URLs, webhooks and external APIs, also without
   * TLS. Loopback is one of them: 127.0.0.0/8.
   */
  ALLOWED_NETWORKS: Type.Optional(NetworkList),
  /**
   * Comma-separated `ws://host:port`: media servers in private networks, or without TLS, that
   * callers may name in room URLs. Default of `npm start`: LiveKit's development server at
   * ws://127.0.0.1:7880.
   */
  ALLOWED_MEDIA_SERVERS: Type.Optional(
    Type.String({ pattern: '^(wss?|https?)://[^@/,]+/?(, *(wss?|https?)://[^@/,]+/?)*$' }),
  ),
  /** Use this media server instead of starting one. */
  LIVEKIT_URL: Type.Optional(Type.String({ pattern: '^(wss?|https?)://' })),
  /** Media server address for browsers and agents. Default: LIVEKIT_URL. */
  LIVEKIT_PUBLIC_URL: Type.Optional(Type.String({ pattern: '^(wss?|https?)://' })),
  LIVEKIT_API_KEY: Type.Optional(Type.String()),
  LIVEKIT_API_SECRET: Type.Optional(Type.String({ minLength: 32 })),
  /**
   * Comma-separated `wss://KEY:SECRET@host`: other media servers whose agents may request an avatar
   * by `inference.AvatarSession`, which signs with the key of its media server.
   */
  INFERENCE_MEDIA_SERVERS: Type.Optional(
    Type.String({
      pattern:
        '^(wss?|https?)://[^:@,/]+:[^:@,/]+@[^@,]+(, *(wss?|https?)://[^:@,/]+:[^:@,/]+@[^@,]+)*$',
    }),
  ),
  /** Comma-separated avatars for other vendors' ids: `tavus:r4067604db72=theo`. */
  DOOR_AVATARS: Type.Optional(
    Type.String({ pattern: '^[a-z_]+:[^=,]+=[^=,]+(, *[a-z_]+:[^=,]+=[^=,]+)*$' }),
  ),
  /** Avatar for unknown vendor ids. Default: the first avatar. */
  DOOR_DEFAULT_AVATAR: Type.Optional(Type.String()),
  /**
   * Enables the default models of agents. Without key and base URL, agents answer from their files.
   */
  OPENAI_API_KEY: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]+$' })),
  /** Base URL of an OpenAI-compatible API, which may work without a key. Default: OpenAI. */
  OPENAI_BASE_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  OPENAI_MODEL: Type.String({ default: 'gpt-4.1-mini' }),
  /** Speech models. They have defaults at OpenAI only. */
  OPENAI_STT_MODEL: Type.Optional(Type.String()),
  OPENAI_TTS_MODEL: Type.Optional(Type.String()),
  /** Other servers for speech, without a key. Default: the server of the language model. */
  OPENAI_STT_BASE_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  OPENAI_TTS_BASE_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  OPENAI_TTS_VOICE: Type.String({ default: 'alloy' }),
  /** Enables semantic search in agents' files. Default: search by words only. */
  OPENAI_EMBEDDINGS_MODEL: Type.Optional(Type.String()),
  /**
   * Address of Ollama, whose model agents use if no other is set, or `off`. Agent workers call it,
   * too. Default: off, and this machine's Ollama for `npm start`, at OLLAMA_HOST or port 11434.
   */
  OLLAMA: Type.Optional(Type.String({ pattern: '^(off|https?://[^@/?#]+/?)$' })),
  /** The model. Default: the largest in memory, or the newest. */
  OLLAMA_MODEL: Type.Optional(Type.String({ minLength: 1 })),
  /** Ollama's own setting. `npm start` looks for it there. */
  OLLAMA_HOST: Type.Optional(Type.String()),
  /** Where `troupe speech install` fetches models instead of their own addresses. */
  SPEECH_MODELS_MIRROR: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** Port of the built-in media server. Default: 7880, or the next free one. */
  LIVEKIT_PORT: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  /** First key of the first account. Default: generated and shown once. */
  TROUPE_API_KEY: Type.Optional(Type.String({ minLength: 16 })),
  /** Comma-separated keys that encrypt the records: 32 bytes in base64. Default: the key file. */
  TROUPE_SECRET_KEY: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9+/]{43}=(, *[A-Za-z0-9+/]{43}=)*$' }),
  ),
  /** The key file, created at the first start. Default: `secret.key` in DATA_DIR. */
  TROUPE_SECRET_KEY_FILE: Type.Optional(Type.String()),
  /** Shared secret of the workers. `npm start` generates it and keeps it in DATA_DIR. */
  WORKER_TOKEN: Type.Optional(Type.String({ minLength: 16 })),
  /** `spread`: the least full worker. `pack`: the fullest one, so that others become empty. */
  PLACEMENT: Type.Enum(['spread', 'pack'], { default: 'spread' }),
  /**
   * Share of late frames above which a worker gets no new session for a while. 1: late frames do
   * not matter.
   */
  LATE_FRAMES_LIMIT: Type.Number({ minimum: 0.01, maximum: 1, default: 0.05 }),
  /** How long a request waits for a slot. Published clients time out after 10 s. */
  SLOT_WAIT_MS: Type.Integer({ minimum: 0, maximum: 8_000, default: 2_000 }),
  /** Most requests that may wait for a slot. */
  MAX_WAITING: Type.Integer({ minimum: 0, default: 1_000 }),
  /** Free slots to keep in reserve. Adds to the reported demand for workers. */
  WARM_SLOTS: Type.Integer({ minimum: 0, default: 1 }),
  ...COMMON_SETTINGS,
});
export type Config = Readonly<Static<typeof Config>>;

/** Old names of settings. They keep working unless the new name is set, too. */
export const RENAMED_SETTINGS: Readonly<Record<string, string>> = {
  DOOR_MEDIA_SERVERS: 'INFERENCE_MEDIA_SERVERS',
};

/** Variables of the control plane. `PG*`: the PostgreSQL client's own, such as PGSSLROOTCERT. */
export const CONTROL_SETTINGS = [
  ...Object.keys(Config.properties),
  ...Object.keys(RENAMED_SETTINGS),
  'PG*',
];

/** Throws one error that lists all invalid variables. */
export function loadConfig(env: Environment): Config {
  const config = readConfig(Config, withNewNames(env));
  // Fastify opens a server for each address of `localhost`: further ones lack the limits of the
  // first one's connections.
  return config.HOST === 'localhost' ? { ...config, HOST: '127.0.0.1' } : config;
}

function withNewNames(env: Environment): Environment {
  const named = { ...env };
  for (const [old, name] of Object.entries(RENAMED_SETTINGS)) named[name] ||= env[old];
  return named;
}

/** A line for each setting that is given by its old name. */
export const oldNameWarnings = (env: Environment): string[] =>
  Object.entries(RENAMED_SETTINGS)
    .filter(([old]) => env[old])
    .map(([old, name]) => `${old} is the old name of ${name}. It still works; rename it.`);

export const recordsPlace = ({
  DATABASE_URL: url,
  DATA_DIR: dataDir,
}: Config): { url: string } | { dataDir: string } => (url ? { url } : { dataDir });

export const bodySettings = ({ DATA_DIR, BODY_MEMORY_MIB, BODY_DISK_MIB }: Config) => ({
  folder: path.join(DATA_DIR, 'arriving'),
  memoryBytes: BODY_MEMORY_MIB * MIB,
  diskBytes: BODY_DISK_MIB * MIB,
});

export const unreadBytes = ({ UNREAD_ANSWERS_MIB: mib }: Config): number => mib * MIB;

export const minFreeBytes = ({ MIN_FREE_MIB: mib }: Config): number => mib * MIB;

const MIB = 1024 ** 2;

/**
 * Whether others reach this service through a proxy. A loopback peer then proves nothing: the proxy
 * may run on this machine and add no headers.
 */
export const isBehindProxy = (
  config: Pick<Config, 'PUBLIC_URL' | 'CHAT_URL' | 'TRUSTED_PROXIES'>,
): boolean =>
  [config.PUBLIC_URL, config.CHAT_URL, config.TRUSTED_PROXIES].some(
    (setting) => setting !== undefined,
  );

/**
 * Whether only this machine uses the service, and no password is set for it. Visitors from here
 * may then open the console without one.
 */
export const isForThisMachine = (
  config: Pick<
    Config,
    'HOST' | 'PUBLIC_URL' | 'CHAT_URL' | 'TRUSTED_PROXIES' | 'TROUPE_ADMIN_PASSWORD'
  >,
): boolean =>
  !isBehindProxy(config) &&
  config.TROUPE_ADMIN_PASSWORD === undefined &&
  parseNetworks(LOOPBACK_NETWORKS).contains(config.HOST);

export const allowedMediaServers = ({ ALLOWED_MEDIA_SERVERS: list = '' }: Config): string[] =>
  list.split(',').flatMap((address) => address.trim() || []);

/** Null if the room pages and the API have the same origin. */
export function chatOrigin({ CHAT_URL: chat, PUBLIC_URL: api }: Config): string | null {
  if (chat === undefined) return null;
  const { origin } = new URL(chat);
  return api !== undefined && new URL(api).origin === origin ? null : origin;
}

/** Null without a media server of our own: callers then bring their rooms. */
export function ownMediaServer(config: Config) {
  const { LIVEKIT_URL: url, LIVEKIT_PUBLIC_URL: publicUrl = url } = config;
  if (!url || !publicUrl) return null;
  return {
    url,
    publicUrl,
    apiKey: required(config, 'LIVEKIT_API_KEY'),
    apiSecret: required(config, 'LIVEKIT_API_SECRET'),
  };
}

/** Null without a provider. */
export function openidSettings(config: Config) {
  const { OPENID_ISSUER: issuer, OPENID_NAME: name } = config;
  if (issuer === undefined) return null;
  const clientId = required(config, 'OPENID_CLIENT_ID');
  return { issuer, name, clientId, clientSecret: required(config, 'OPENID_CLIENT_SECRET') };
}

/** Null: Ollama is not looked for. */
export const ollamaAddress = ({ OLLAMA: address = 'off', OLLAMA_MODEL: wanted }: Config) =>
  address === 'off' ? null : { address: address.replace(/\/$/, ''), wanted };

/** `npm start` generates these settings. A control plane that runs by itself must be given them. */
export function required(
  config: Config,
  name:
    | 'WORKER_TOKEN'
    | 'LIVEKIT_API_KEY'
    | 'LIVEKIT_API_SECRET'
    | 'OPENID_CLIENT_ID'
    | 'OPENID_CLIENT_SECRET',
): string {
  const value = config[name];
  if (!value) throw new OperatorError(`Configuration: ${name} must be set`);
  return value;
}
