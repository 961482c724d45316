import Type, { type Static, type TObject } from 'typebox';
import Value from 'typebox/value';

/** Environment variables common to all workers. */
export const WORKER_SETTINGS = {
  /** Address of the control plane. */
  CONTROL_URL: Type.String({ default: 'http://127.0.0.1:8080' }),
  WORKER_TOKEN: Type.String({ minLength: 1 }),
  /** Label by which accounts restrict their sessions to certain workers. */
  WORKER_POOL: Type.String({ minLength: 1, maxLength: 100, default: 'default' }),
  /** How long a drain may take before sessions are handed over. At most a week. */
  DRAIN_SECONDS: Type.Integer({ minimum: 0, maximum: 604_800, default: 3600 }),
  /**
   * Exit when idle after this many sessions, to be restarted: the media client leaks some memory
   * per session. 0: never.
   */
  RENEW_AFTER_SESSIONS: Type.Integer({ minimum: 0, default: 0 }),
  /** Parent folder of downloaded and installed files. */
  DATA_DIR: Type.String({ default: './data' }),
  LOG_LEVEL: Type.String({ default: 'info' }),
};

/** Treats empty variables as unset. Throws one error listing all invalid variables. */
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
