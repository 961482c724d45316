import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { LOOPBACK_NETWORKS } from '#shared/network/address-policy.ts';
import { CONTROL_FLAGS } from '../../../src/start/control-flags.ts';
import { programEnv } from './program-env.ts';

export type ControlProcess = {
  url: string;
  pid: number;
  /** `kill -9`; resolves when the process is gone. */
  kill(): Promise<void>;
  /** `kill`; resolves when it has closed everything. */
  stop(): Promise<void>;
};

/**
 * A control plane in its own process. `checkout`: the folder with its sources, by default this one.
 * `logFile`: by default it logs nothing. The owner kills it.
 */
export async function startControlProcess(
  env: Record<string, string>,
  { checkout = '.', logFile }: { checkout?: string; logFile?: string } = {},
): Promise<ControlProcess> {
  const output = logFile === undefined ? 'ignore' : openSync(logFile, 'a');
  const child = fork('src/main.ts', {
    cwd: checkout,
    env: {
      ...programEnv,
      PORT: '0',
      LOG_LEVEL: logFile ? 'info' : 'silent',
      // Doubles of what callers name listen on this machine.
      ALLOWED_NETWORKS: LOOPBACK_NETWORKS,
      ...env,
    },
    execArgv: [...CONTROL_FLAGS],
    stdio: ['ignore', output, 'inherit', 'ipc'],
  });
  if (output !== 'ignore') closeSync(output);
  const exit = once(child, 'exit');
  const ready = once(child, 'message').then(([message]) => message as { address: string });
  const [readyMessage] = await Promise.race([
    ready.then((message) => [message]),
    exit.then(() => []),
  ]);
  if (!readyMessage) throw new Error('the control plane exited before it was ready');
  return {
    url: readyMessage.address,
    pid: child.pid!,
    async kill() {
      child.kill('SIGKILL');
      await exit;
    },
    async stop() {
      child.kill('SIGTERM');
      await exit;
    },
  };
}
