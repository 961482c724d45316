import Type, { type Static, type TObject } from 'typebox';
import Value from 'typebox/value';

/** What every kind of worker is told. */
export const WORKER_SETTINGS = {
  /** The control plane's address; the gateway is below it. */
  CONTROL_URL: Type.String({ default: 'http://127.0.0.1:8080' }),
  WORKER_TOKEN: Type.String({ minLength: 1 }),
  /** Accounts may want their sessions performed by workers of one label. */
  WORKER_POOL: Type.String({ minLength: 1, maxLength: 100, default: 'default' }),
  /** How long a drain may take before the sessions are handed to other workers; a week at most. */
  DRAIN_SECONDS: Type.Integer({ minimum: 0, maximum: 604_800, default: 3600 }),
  /**
   * When it has performed so many, it exits in the next moment in which it performs none, for whoever starts it again: the media server's client
   * keeps some memory of each. 0: never.
   */
  RENEW_AFTER_SESSIONS: Type.Integer({ minimum: 0, default: 0 }),
  /** What is fetched or installed is kept in folders of it. */
  DATA_DIR: Type.String({ default: './data' }),
  LOG_LEVEL: Type.String({ default: 'info' }),
};

/** An empty variable counts as not set. Throws one error that names every wrong variable. */
export function readConfig<Schema extends TObject>(
  schema: Schema,
  env: Record<string, string | undefined>,
  computed: Record<string, unknown>,
): Readonly<Static<Schema>> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const whole = Value.Default(schema, { ...computed, ...set });
  const given = Value.Clean(schema, Value.Convert(schema, whole));
  if (Value.Check(schema, given)) return Object.freeze(given);

  const problems = Value.Errors(schema, given).map(
    (problem) => `${problem.instancePath.slice(1)} ${problem.message}`,
  );
  throw new Error(`Configuration: ${problems.join('; ')}`);
}
