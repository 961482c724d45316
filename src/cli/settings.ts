import { OperatorError } from '#shared/process/operator-error.ts';
import type { Config } from '../config.ts';
import type { CliContext, Environment } from './cli-context.ts';
import { CliError } from './exit-codes.ts';

/** Options win over the environment. */
export function applySettings(env: Environment, overrides: Environment): void {
  for (const [name, value] of Object.entries(overrides)) if (value !== undefined) env[name] = value;
}

/** The settings of the service of this machine. */
export async function localSettings({ env }: CliContext): Promise<Config> {
  // Its schemas take a tenth of a second to load.
  const { loadConfig } = await import('../config.ts');
  try {
    return loadConfig(env);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new CliError(`${error.message}. \`.env.example\` explains each setting.`, 2, {
      cause: error,
    });
  }
}
