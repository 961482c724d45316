import { fork } from 'node:child_process';
import { once } from 'node:events';
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
 * A control plane in its own process that logs nothing. `checkout`: the folder with its sources, by
 * default this one. The owner kills it.
 */
export async function startControlProcess(
  env: Record<string, string>,
  checkout = '.',
): Promise<ControlProcess> {
  const child = fork('src/main.ts', {
    cwd: checkout,
    env: { ...programEnv, PORT: '0', LOG_LEVEL: 'silent', ...env },
    execArgv: [...CONTROL_FLAGS],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const gone = once(child, 'exit');
  const ready = once(child, 'message').then(([message]) => message as { address: string });
  const [first] = await Promise.race([ready.then((message) => [message]), gone.then(() => [])]);
  if (!first) throw new Error('the control plane exited before it was ready');
  return {
    url: first.address,
    pid: child.pid!,
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
    async stop() {
      child.kill('SIGTERM');
      await gone;
    },
  };
}
