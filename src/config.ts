import Type, { type Static } from 'typebox';
import Value from 'typebox/value';

const Config = Type.Object({
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080 }),
  HOST: Type.String({ default: '127.0.0.1' }),
  /** What callers see; default `http://HOST:PORT`. */
  PUBLIC_URL: Type.Optional(Type.String({ pattern: '^https?://' })),
  DATA_DIR: Type.String({ default: './data' }),
  /** When set, records are in this PostgreSQL; else in a file under DATA_DIR. */
  DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
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
  /** The built-in media server's port; when taken and not set by hand, the next free one. */
  LIVEKIT_PORT: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
  /** First key of the first account; else one is made and shown once. */
  TROUPE_API_KEY: Type.Optional(Type.String({ minLength: 16 })),
  /** 32 bytes in base64 that encrypt stored secrets; else made and kept in DATA_DIR. */
  TROUPE_SECRET_KEY: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9+/]{43}=$' })),
  /** What workers show at the gateway; else made and kept in DATA_DIR. */
  WORKER_TOKEN: Type.Optional(Type.String({ minLength: 16 })),
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
