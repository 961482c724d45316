import { loadSettingsFile } from '#shared/process/settings-file.ts';
import { loadConfig, type Config } from '../../config.ts';

/** The settings of a command, from its environment and `.env`. Exits with one line that names those that are wrong or that `check` rejects. */
export function readSettings(check: (config: Config) => void = () => {}): Config {
  try {
    loadSettingsFile();
    const config = loadConfig(process.env);
    check(config);
    return config;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${problem} (see .env.example)\n`);
    process.exit(1);
  }
}
