import Type, { type Static } from 'typebox';
import Value from 'typebox/value';

const Config = Type.Object({
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080 }),
  HOST: Type.String({ default: '127.0.0.1' }),
  /** What callers see; default `http://HOST:PORT`. */
  PUBLIC_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** Where people meet agents, at `CHAT_URL/{agent id}`, when that is another name than PUBLIC_URL's; it leads here too. */
  CHAT_URL: Type.Optional(Type.String({ pattern: '^https?://[^/]+/?$' })),
  /** How many calls with one agent may be opened from one address in an hour, without a key. */
  CHAT_CALLS_PER_HOUR: Type.Integer({ minimum: 0, default: 20 }),
  /** Whether the room page says in sight that who speaks is an AI avatar: many laws ask for it, so off is for those who say it themselves. */
  CHAT_AI_LABEL: Type.Enum(['on', 'off'], { default: 'on' }),
  DATA_DIR: Type.String({ default: './data' }),
  /** When set, records are in this PostgreSQL; else in a file under DATA_DIR. */
  DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  /** When set, control planes with the same one share workers, slots and sessions; they then share DATABASE_URL and TROUPE_SECRET_KEY too. */
  REDIS_URL: Type.Optional(Type.String({ pattern: '^rediss?://' })),
  /** Opens the admin API and gives the try page's token from afar; without it both are off. */
  TROUPE_ADMIN_PASSWORD: Type.Optional(
    // As a header can carry it: no sign beyond ASCII, no blank at either end.
    Type.String({ minLength: 12, pattern: '^[\\x21-\\x7e][\\x20-\\x7e]*[\\x21-\\x7e]$' }),
  ),
  /** How many requests a minute one key may send. */
  REQUESTS_PER_MINUTE: Type.Integer({ minimum: 1, default: 6000 }),
  /** Private networks that webhooks and external APIs may be at, separated by commas; default loopback, while nobody else reaches the service. */
  ALLOWED_NETWORKS: Type.Optional(Type.String()),
  /** When set, this media server is used and none is started. */
  LIVEKIT_URL: Type.Optional(Type.String({ pattern: '^(wss?|https?)://' })),
  /** What browsers and agents get; default LIVEKIT_URL. */
  LIVEKIT_PUBLIC_URL: Type.Optional(Type.String({ pattern: '^(wss?|https?)://' })),
  LIVEKIT_API_KEY: Type.Optional(Type.String()),
  LIVEKIT_API_SECRET: Type.Optional(Type.String({ minLength: 32 })),
  /** Further media servers whose agents may ask for an avatar with their own key: `wss://KEY:SECRET@host`, separated by commas. */
  DOOR_MEDIA_SERVERS: Type.Optional(
    Type.String({
      pattern:
        '^(wss?|https?)://[^:@,/]+:[^:@,/]+@[^@,]+(, *(wss?|https?)://[^:@,/]+:[^:@,/]+@[^@,]+)*$',
    }),
  ),
  /** Which avatar other vendors' ids mean: `tavus:r4067604db72=theo`, separated by commas. */
  DOOR_AVATARS: Type.Optional(
    Type.String({ pattern: '^[a-z_]+:[^=,]+=[^=,]+(, *[a-z_]+:[^=,]+=[^=,]+)*$' }),
  ),
  /** Who performs for an id that nobody knows; default the first avatar. */
  DOOR_DEFAULT_AVATAR: Type.Optional(Type.String()),
  /** What agents think with that name no model of their own. An address without a key counts too; without both they answer from their files. */
  OPENAI_API_KEY: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]+$' })),
  /** Where that API begins, when it is not OpenAI's own. */
  OPENAI_BASE_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  OPENAI_MODEL: Type.String({ default: 'gpt-4.1-mini' }),
  /** What they hear and speak with. At OpenAI's own address they have defaults; at another one nothing is used that is not named. */
  OPENAI_STT_MODEL: Type.Optional(Type.String()),
  OPENAI_TTS_MODEL: Type.Optional(Type.String()),
  OPENAI_TTS_VOICE: Type.String({ default: 'alloy' }),
  /** What finds passages of their files by meaning. Without one: by words alone, also at OpenAI. */
  OPENAI_EMBEDDINGS_MODEL: Type.Optional(Type.String()),
  /** The built-in media server's port; when taken and not set by hand, the next free one. */
  LIVEKIT_PORT: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  /** First key of the first account; else one is made and shown once. */
  TROUPE_API_KEY: Type.Optional(Type.String({ minLength: 16 })),
  /** 32 bytes in base64 that encrypt stored secrets; else made and kept in DATA_DIR. */
  TROUPE_SECRET_KEY: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' })),
  /** What workers show at the gateway; else made and kept in DATA_DIR. */
  WORKER_TOKEN: Type.Optional(Type.String({ minLength: 16 })),
  /** How a worker is chosen: `spread`, the least full; `pack`, the fullest, so that the others come free and may go. */
  PLACEMENT: Type.Enum(['spread', 'pack'], { default: 'spread' }),
  /** How long a request waits for a slot, in milliseconds. Published clients give up after 10 s. */
  SLOT_WAIT_MS: Type.Integer({ minimum: 0, maximum: 8_000, default: 2_000 }),
  /** How many requests may wait for one. */
  MAX_WAITING: Type.Integer({ minimum: 0, default: 1_000 }),
  /** How many slots shall be free at any time: counted in how many workers are wanted. */
  WARM_SLOTS: Type.Integer({ minimum: 0, default: 1 }),
  LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    default: 'info',
  }),
});
export type Config = Readonly<Static<typeof Config>>;

/** An empty variable counts as not set. Throws one error that names every wrong variable. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const given = Value.Clean(Config, Value.Convert(Config, Value.Default(Config, set)));
  if (Value.Check(Config, given)) return Object.freeze(given);

  const problems = Value.Errors(Config, given).map(
    (p) => `${p.instancePath.slice(1)} ${p.message}`,
  );
  throw new Error(`Configuration: ${problems.join('; ')}`);
}

export const recordsPlace = ({
  DATABASE_URL: url,
  DATA_DIR: dataDir,
}: Config): { url: string } | { dataDir: string } => (url ? { url } : { dataDir });

/** Null where the room page has the same name as the API. */
export function chatOrigin({ CHAT_URL: chat, PUBLIC_URL: api }: Config): string | null {
  if (chat === undefined) return null;
  const { origin } = new URL(chat);
  return api !== undefined && new URL(api).origin === origin ? null : origin;
}

/** `npm start` makes these and passes them on; a control plane that runs by itself must be given them. */
export function required(
  config: Config,
  name: 'WORKER_TOKEN' | 'LIVEKIT_API_KEY' | 'LIVEKIT_API_SECRET',
): string {
  const value = config[name];
  if (!value) throw new Error(`Configuration: ${name} must be set`);
  return value;
}
