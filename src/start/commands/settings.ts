import { readEnvironment } from '#shared/process/command.ts';
import { OperatorError } from '#shared/process/operator-error.ts';
import { loadConfig, type Config } from '../../config.ts';

/**
 * The settings of a command. Throws one line that names those that are wrong or that `check`
 * rejects.
 */
export function readSettings(
  env: () => Record<string, string | undefined> = readEnvironment,
  check: (config: Config) => void = () => {},
): Config {
  try {
    const config = loadConfig(env());
    check(config);
    return config;
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(`${problem} (see .env.example)`, { cause });
  }
}
