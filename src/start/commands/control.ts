/*
 * Process entry of `npm run control`: runs the control plane as a child process with its V8 flags.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '#shared/process/child-environment.mjs';
import { command, runAsProgram } from '#shared/process/command.ts';
import { CONTROL_SETTINGS, ownMediaServer, required } from '../../config.ts';
import { CONTROL_FLAGS } from '../control-flags.ts';
import { readSettings } from './settings.ts';

export const control = command(
  {
    usage: `Usage: npm run control

Runs one control plane: API, worker gateway and pages. \`npm start\` runs it together with a media server and workers.
Settings are environment variables; .env.example lists them. WORKER_TOKEN is required, and with LIVEKIT_URL its key and secret.`,
  },
  async (_, { env }) => {
    // The child rejects these too, but only when it has loaded.
    readSettings(env, (config) => {
      required(config, 'WORKER_TOKEN');
      ownMediaServer(config);
    });
    const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
    const child = spawn(process.execPath, [...CONTROL_FLAGS, main], {
      stdio: 'inherit',
      env: childEnvironment(env(), CONTROL_SETTINGS),
    });
    // A terminal sends Ctrl-C to both processes. Sent on as SIGTERM, it does not count as a second
    // SIGINT.
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => child.kill('SIGTERM'));
    child.once('exit', (code) => process.exit(code ?? 1));
    return '';
  },
);

await runAsProgram(import.meta.url, control);
