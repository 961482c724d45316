import Type, { type Static } from 'typebox';
import Value from 'typebox/value';

const WorkerConfig = Type.Object({
  /** The control plane's address; the gateway is below it. */
  CONTROL_URL: Type.String({ default: 'http://127.0.0.1:8080' }),
  WORKER_TOKEN: Type.String({ minLength: 1 }),
  /** Sessions at once; by default four for each core. */
  WORKER_SLOTS: Type.Integer({ minimum: 1 }),
  /** How long a drain may take before the sessions are handed to other workers. */
  DRAIN_SECONDS: Type.Integer({ minimum: 0, default: 3600 }),
  LOG_LEVEL: Type.String({ default: 'info' }),
});
export type WorkerConfig = Readonly<Static<typeof WorkerConfig>>;

/** An empty variable counts as not set. Throws one error that names every wrong variable. */
export function loadWorkerConfig(
  env: Record<string, string | undefined>,
  cores: number,
): WorkerConfig {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const whole = { WORKER_SLOTS: cores * 4, ...set };
  const given = Value.Clean(
    WorkerConfig,
    Value.Convert(WorkerConfig, Value.Default(WorkerConfig, whole)),
  );
  if (Value.Check(WorkerConfig, given)) return Object.freeze(given);

  const problems = Value.Errors(WorkerConfig, given).map(
    (problem) => `${problem.instancePath.slice(1)} ${problem.message}`,
  );
  throw new Error(`Configuration: ${problems.join('; ')}`);
}
