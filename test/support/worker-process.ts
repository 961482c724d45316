import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { RunningService } from './service.ts';

export type WorkerProcess = {
  pid: number;
  /** Its exit code; null when it was killed. */
  exited: Promise<number | null>;
  /** `kill -9`, if it is still there. */
  kill(): Promise<void>;
};

/** One more avatar worker for a running service; resolves when it is registered. Its owner kills it. */
export async function startWorker(
  service: RunningService,
  env: { WORKER_TOKEN: string; [name: string]: string },
): Promise<WorkerProcess> {
  const worker = spawn(process.execPath, ['workers/avatar/main.ts'], {
    env: {
      PATH: process.env['PATH'],
      CONTROL_URL: service.address,
      DATA_DIR: service.dataDir,
      ...env,
      LOG_LEVEL: 'info',
    },
    // With a channel, so that it ends with whoever started it.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exited = once(worker, 'exit').then(([code]) => code as number | null);
  let output = '';
  const registered = new Promise<void>((resolve) => {
    worker.stdout?.on('data', (text) => {
      output += text;
      if (output.includes('registered at the gateway')) resolve();
    });
  });
  await Promise.race([
    registered,
    exited.then(() => Promise.reject(new Error(`the worker has ended:\n${output}`))),
  ]);
  return {
    pid: worker.pid!,
    exited,
    async kill() {
      worker.kill('SIGKILL');
      await exited;
    },
  };
}
