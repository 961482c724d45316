import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { comeFirst } from '../../../src/start/processes/priority.ts';
import { ownGroup } from '../../../src/start/processes/process-group.ts';
import type { RunningService } from './service.ts';
import { programEnv } from './program-env.ts';

export type WorkerProcess = {
  pid: number;
  /** Resolves when a log line matches. */
  says(line: RegExp): Promise<void>;
  /** Its exit code; null when killed. */
  exited: Promise<number | null>;
  /** `kill -9`, if it still runs. */
  kill(): Promise<void>;
};

type WorkerStart = {
  program?: 'workers/avatar/main.ts' | 'workers/agent/main.ts';
  /** It has started when its log matches. */
  logs?: RegExp;
  /** Gets each line of its log. */
  onLine?: (line: string) => void;
  /** Otherwise it shares this process's session, which Linux needs to compare priorities. */
  ownSession?: boolean;
};

/** Another worker for a service. Resolves when its log matches `logs`. The owner kills it. */
export async function startWorker(
  service: Pick<RunningService, 'address' | 'dataDir'>,
  env: { WORKER_TOKEN: string; [name: string]: string },
  {
    program = 'workers/avatar/main.ts',
    logs = /registered with the gateway/,
    onLine,
    ownSession = ownGroup,
  }: WorkerStart = {},
): Promise<WorkerProcess> {
  const worker = spawn(process.execPath, [program], {
    env: {
      ...programEnv,
      // As in every installation.
      MALLOC_ARENA_MAX: '2',
      CONTROL_URL: service.address,
      DATA_DIR: service.dataDir,
      ...env,
      LOG_LEVEL: 'info',
    },
    // With an IPC channel, so that it ends with its parent.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    // As under `npm start`: a session of its own, which has the processor first.
    detached: ownSession,
  });
  if (ownSession && worker.pid !== undefined) comeFirst(worker.pid);
  const exited = once(worker, 'exit').then(([code]) => code as number | null);
  let output = '';
  const stdout = worker.stdout!;
  stdout.on('data', (text) => (output += text));
  if (onLine) createInterface(stdout).on('line', onLine);
  const says = async (line: RegExp) => {
    while (!line.test(output)) await once(stdout, 'data');
  };
  await Promise.race([
    says(logs),
    exited.then(() => Promise.reject(new Error(`the worker exited:\n${output}`))),
  ]);
  return {
    pid: worker.pid!,
    says,
    exited,
    async kill() {
      worker.kill('SIGKILL');
      await exited;
    },
  };
}
