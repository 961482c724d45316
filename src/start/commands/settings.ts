import { loadConfig, type Config } from '../../config.ts';

/** The settings of a command. Exits with one line that names those that are wrong or that `check` rejects. */
export function readSettings(check: (config: Config) => void = () => {}): Config {
  try {
    const config = loadConfig(process.env);
    check(config);
    return config;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${problem} (see .env.example)\n`);
    process.exit(1);
  }
}
