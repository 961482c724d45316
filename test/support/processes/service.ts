import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { LOOPBACK_NETWORKS } from '#shared/network/address-policy.ts';
import type {
  ProgramName,
  ServiceFacts,
  StartMessage,
} from '../../../src/start/messages/start-messages.ts';
import { freeMediaPorts } from '../../../src/start/media-server/media-server-ports.ts';
import { keepLogs, noteSecrets } from '../kept-logs.ts';
import { runningServices } from './failed-journey.ts';
import { randomPort } from './free-port.ts';
import { serviceApi, type ServiceApi } from './service-api.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Key of the account that a service starts with. */
export const FIRST_KEY = 'test-key-of-the-first-account';

/** For tests without conversations: an agent worker takes seconds to load. */
export const NO_AGENTS = { AGENT_SLOTS: '0' };

/** Sessions move between its workers: a stopping one hands them over at once. */
export const MOVING = { WORKER_TOKEN: 'a token that workers know', DRAIN_SECONDS: '0' };

/** Started by one test, or shared (shared-service.ts). */
export type RunningService = ServiceFacts &
  ServiceApi & {
    apiKey: string;
    /** The process id of a program. Waits while it restarts. */
    pid(name: ProgramName): Promise<number>;
    /** Sends the signal, by default SIGKILL. Resolves with the process id of the replacement. */
    killProgram(name: ProgramName, signal?: NodeJS.Signals): Promise<number>;
    /** The contents of a program's log file. */
    logOf(name: ProgramName): Promise<string>;
    stop(): Promise<void>;
  };

export type OwnService = RunningService & {
  supervisor: ChildProcess;
  /** The output in the operator's terminal. */
  printed(): string;
};

/**
 * The whole service as `npm start` runs it, on free ports with its own data folder. The media
 * server's binary comes from TROUPE_MEDIA_SERVER (set by `npm test`), else from where `npm start`
 * finds it. Stop it in `afterAll`.
 */
export async function startService(
  options: { env?: Record<string, string>; dataDir?: string } = {},
): Promise<OwnService> {
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(tmpdir(), 'troupe-service-')));
  const binary = process.env['TROUPE_MEDIA_SERVER'];
  const supervisor = spawn(process.execPath, ['src/start/supervisor.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      PATH: [...(binary ? [path.dirname(binary)] : []), process.env['PATH']].join(path.delimiter),
      PORT: '0',
      LIVEKIT_PORT: String(await freeMediaPorts(randomPort())),
      DATA_DIR: dataDir,
      TROUPE_API_KEY: FIRST_KEY,
      // Tests poll often.
      REQUESTS_PER_MINUTE: '1000000',
      // Doubles of what callers name listen on this machine.
      ALLOWED_NETWORKS: LOOPBACK_NETWORKS,
      // A busy machine must not change the pictures that a test judges, or refuse its sessions.
      LOWEST_QUALITY: 'full',
      LATE_FRAMES_LIMIT: '1',
      // Otherwise the natural voice would be installed for each service.
      VOICE: 'flite',
      HEARING: 'off',
      // Agents answer alike on machines with and without it.
      OLLAMA: 'off',
      ...options.env,
    },
  });
  noteSecrets({ TROUPE_API_KEY: FIRST_KEY, ...options.env });
  let output = '';
  supervisor.stdout?.on('data', (text) => (output += text));
  supervisor.stderr?.on('data', (text) => (output += text));
  const pids = new Map<string, number | null>();
  supervisor.on('message', (message: StartMessage) => {
    if (message.type === 'program') pids.set(message.name, message.pid);
  });

  const service = await ready(supervisor, () => output);
  runningServices.add(dataDir);

  const pid = async (name: ProgramName): Promise<number> => {
    for (;;) {
      const currentPid = pids.get(name);
      if (currentPid) return currentPid;
      await once(supervisor, 'message');
    }
  };

  return {
    ...service,
    ...serviceApi(service.address, FIRST_KEY),
    apiKey: FIRST_KEY,
    supervisor,
    printed: () => output,
    pid,
    async killProgram(name, signal = 'SIGKILL') {
      const oldPid = await pid(name);
      process.kill(oldPid, signal);
      while (pids.get(name) === oldPid) await once(supervisor, 'message');
      return pid(name);
    },
    logOf: (name) => readFile(path.join(dataDir, 'logs', `${name}.log`), 'utf8'),
    async stop() {
      if (supervisor.exitCode === null && supervisor.signalCode === null) {
        const exit = once(supervisor, 'exit');
        supervisor.kill('SIGTERM');
        await exit;
      }
      runningServices.delete(dataDir);
      keepLogs(dataDir);
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function ready(supervisor: ChildProcess, output: () => string): Promise<ServiceFacts> {
  return new Promise((resolve, reject) => {
    supervisor.on('message', (message: StartMessage) => {
      if (message.type === 'ready') resolve(message.service);
    });
    supervisor.once('exit', (code) =>
      reject(new Error(`the service did not start (exit ${code}):\n${output()}`)),
    );
  });
}
