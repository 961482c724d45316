import { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { applySettings } from '../settings.ts';

type StartOptions = { port?: string; host?: string; dataDir?: string };

export const startCommand = ({ env }: CliContext) =>
  new Command('start')
    .description(
      'run the whole service: control plane, media server, an avatar worker and an agent worker',
    )
    .option('-p, --port <port>', 'PORT of the API and the pages; default: 8080')
    .option('--host <address>', 'HOST to listen on; default: 127.0.0.1')
    .option('--data-dir <folder>', 'DATA_DIR for records, keys and logs; default: ./data')
    .addHelpText(
      'after',
      `
Ctrl-C stops it. \`troupe doctor\` finds out why a start fails.

Examples:
  $ troupe start
  $ troupe start --port 9000 --data-dir /var/lib/troupe`,
    )
    .action(async ({ port, host, dataDir }: StartOptions) => {
      applySettings(env, { PORT: port, HOST: host, DATA_DIR: dataDir });
      await import('../../start/supervisor.ts');
    });
