import Type, { type Static, type TObject } from 'typebox';
import Value from 'typebox/value';
import { networksProblem } from './network/networks.ts';
import { OperatorError } from './process/operator-error.ts';

export type Environment = Record<string, string | undefined>;

/** Comma-separated addresses and CIDR blocks. */
export const NetworkList = Type.Refine(
  Type.String(),
  (text) => networksProblem(text) === null,
  (text) => networksProblem(text) ?? '',
);

/** Settings of every process. */
export const COMMON_SETTINGS = {
  DATA_DIR: Type.String({ default: './data' }),
  LOG_LEVEL: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    default: 'info',
  }),
  /** Receiver of traces (OTLP over HTTP), without the path. Default: nothing is traced. */
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String({ pattern: '^https?://' })),
  /** Headers for it: `name=value`, separated by commas, values URL-encoded. */
  OTEL_EXPORTER_OTLP_HEADERS: Type.Optional(Type.String({ pattern: '^[^=,]+=' })),
};

/**
 * Treats empty variables as unset. `computed` holds defaults that depend on the machine. Throws one
 * error that lists all invalid variables.
 */
export function readConfig<Schema extends TObject>(
  schema: Schema,
  env: Environment,
  computed: Record<string, unknown> = {},
): Readonly<Static<Schema>> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const rawSettings = Value.Default(schema, { ...computed, ...set });
  const settings = Value.Clean(schema, Value.Convert(schema, rawSettings));
  if (Value.Check(schema, settings)) return Object.freeze(settings);

  const problems = Value.Errors(schema, settings).map(
    (problem) => `${problem.instancePath.slice(1)} ${problem.message}`,
  );
  throw new OperatorError(`Configuration: ${problems.join('; ')}`);
}
