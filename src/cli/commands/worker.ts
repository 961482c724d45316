import { Command } from 'commander';
import { loadSettingsFile } from '#shared/process/settings-file.ts';
import type { CliContext, Environment } from '../cli-context.ts';
import { applySettings } from '../settings.ts';

/** Secrets of a control plane that uses the same `.env` are no business of a worker. */
async function forgetOtherSettings(env: Environment, isAgent: boolean): Promise<void> {
  const settings: readonly string[] = isAgent
    ? (await import('../../../workers/agent/config.ts')).AGENT_WORKER_SETTINGS
    : (await import('../../../workers/avatar/config.ts')).AVATAR_WORKER_SETTINGS;
  for (const name of loadSettingsFile()?.taken ?? [])
    if (!settings.includes(name)) delete env[name];
}

type WorkerOptions = { control?: string; token?: string; slots?: string; agent?: true };

export const workerCommand = ({ env }: CliContext) =>
  new Command('worker')
    .description('run another avatar worker, or an agent worker, for a control plane')
    .option('--control <url>', 'CONTROL_URL, the control plane; default: http://127.0.0.1:8080')
    .option(
      '--token <token>',
      'WORKER_TOKEN; safer in the environment, which other users cannot list',
    )
    .option('--slots <count>', 'sessions at once; default: 4 for each core, 8 for agents')
    .option('--agent', 'hold conversations of managed agents instead of performing avatars')
    .addHelpText(
      'after',
      `
SIGTERM drains it: it finishes its sessions, takes no new ones and then ends.

Examples:
  $ WORKER_TOKEN=... troupe worker --control https://troupe.example.com
  $ troupe worker --agent --slots 4`,
    )
    .action(async ({ control, token, slots, agent }: WorkerOptions) => {
      await forgetOtherSettings(env, agent === true);
      const slotsOf = agent ? { AGENT_SLOTS: slots } : { WORKER_SLOTS: slots };
      applySettings(env, { CONTROL_URL: control, WORKER_TOKEN: token, ...slotsOf });
      // These programs read their arguments too.
      process.argv.splice(2);
      await (agent
        ? import('../../../workers/agent/main.ts')
        : import('../../../workers/avatar/main.ts'));
    });
