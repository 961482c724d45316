/*
 * A media server, a control plane and avatar workers, each as a process that takes orders. The
 * stage owns them and ends them in `close`.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RoomServiceClient } from 'livekit-server-sdk';
import { auditOf, type Audit } from '../bench/fleet-audit.ts';
import { Client } from '../chaos/client.ts';
import { API_KEY, WORKER_TOKEN } from '../chaos/names.ts';
import { LIMITS } from '../chaos/real/bounds.ts';
import { RealWorker } from '../chaos/real/worker.ts';
import { Receiver } from '../chaos/receiver.ts';
import { newOperatorKey } from '../support/api/operator-key.ts';
import { startControlProcess, type ControlProcess } from '../support/processes/control-process.ts';
import {
  mediaServerEnv,
  roomsOf,
  startMediaServer,
  type RunningMediaServer,
} from '../support/processes/media-server.ts';
import { without, type Outcome } from './outcomes.ts';
import { probedEnv, ProbedProcess } from './processes/probed-process.ts';

/** Says why sessions of living workers ended. */
export const CONTROL_LOG = 'dist/soak/control.log';

const ADMIN_PASSWORD = 'admin password of the soak';

type StageParts = {
  mediaServer: RunningMediaServer;
  receiver: Receiver;
  control: ControlProcess;
  workers: RealWorker[];
  operatorKey: string;
  folder: string;
};

type Close = () => Promise<unknown>;

export class SoakStage {
  readonly bounds = LIMITS;
  readonly mediaServer: RunningMediaServer;
  readonly rooms: RoomServiceClient;
  readonly client: Client;
  readonly receiver: Receiver;
  readonly url: string;
  readonly control: ProbedProcess;
  readonly workers: ProbedProcess[];
  readonly operatorKey: string;
  readonly #parts: StageParts;
  readonly #closes: Close[];
  #isStopping = false;
  readonly #deaths: string[] = [];

  /** With slots for that many sessions. */
  static async open(sessions: number, say: (line: string) => void): Promise<SoakStage> {
    const closes: Close[] = [];
    try {
      const stage = new SoakStage(await startParts(sessions, closes), closes);
      stage.#watchWorkers(say);
      const { receiver } = stage;
      await receiver.subscribe(stage.client, receiver.url.replace('127.0.0.1', 'hooks.localhost'));
      return stage;
    } catch (error) {
      await closeAll(closes);
      throw error;
    }
  }

  private constructor(parts: StageParts, closes: Close[]) {
    const { mediaServer, control, workers, folder } = parts;
    this.#parts = parts;
    this.#closes = closes;
    this.mediaServer = mediaServer;
    this.rooms = roomsOf(mediaServer);
    this.client = new Client(() => [control.url]);
    this.receiver = parts.receiver;
    this.url = control.url;
    this.operatorKey = parts.operatorKey;
    this.control = new ProbedProcess('the control plane', folder, control.pid);
    this.workers = workers.map(({ pid }, i) => new ProbedProcess(nameOf(i), folder, pid));
  }

  get processes(): ProbedProcess[] {
    return [this.control, ...this.workers];
  }

  /** Without workers that have exited. */
  get running(): ProbedProcess[] {
    const isGone = (i: number) => this.#parts.workers[i]!.isGone;
    return [this.control, ...this.workers.filter((_, i) => !isGone(i))];
  }

  audit(): Promise<Audit> {
    return auditOf(this.url, this.operatorKey);
  }

  /** Before the workers are stopped. */
  get deaths(): Outcome {
    return without('all workers have run to the end', this.#deaths);
  }

  /** Resolves with the exit codes of the workers. */
  async stopWorkers(): Promise<(number | null)[]> {
    this.#isStopping = true;
    return Promise.all(this.#parts.workers.map((worker) => worker.stop()));
  }

  close(): Promise<void> {
    this.#isStopping = true;
    return closeAll(this.#closes);
  }

  #watchWorkers(say: (line: string) => void): void {
    const noteDeath = async (worker: RealWorker, name: string) => {
      const code = await worker.exited;
      if (this.#isStopping) return;
      const death = `${name} has exited with ${code ?? 'a signal'}`;
      this.#deaths.push(`${death}: ${worker.lastLines.split('\n').at(-1)}`);
      say(`${death}. Its last log lines:\n${worker.lastLines}`);
    };
    for (const [i, worker] of this.#parts.workers.entries()) void noteDeath(worker, nameOf(i));
  }
}

const nameOf = (workerIndex: number): string => `avatar worker ${workerIndex + 1}`;

/** `closes`: gets a function for each part that has been started. */
async function startParts(sessions: number, closes: Close[]): Promise<StageParts> {
  const folder = await mkdtemp(path.join(tmpdir(), 'troupe-soak-'));
  closes.push(() => rm(folder, { recursive: true }));
  const receiver = await Receiver.open();
  closes.push(() => receiver.close());
  const mediaServer = await startMediaServer();
  closes.push(() => mediaServer.stop());
  const probed = probedEnv(folder);
  await mkdir(path.dirname(CONTROL_LOG), { recursive: true });
  await rm(CONTROL_LOG, { force: true });
  const control = await startControlProcess(
    { DATA_DIR: folder, WORKER_TOKEN, ...probed, ...controlEnv(mediaServer) },
    { logFile: CONTROL_LOG },
  );
  closes.push(() => control.kill());
  const workers: RealWorker[] = [];
  while (workers.length * RealWorker.slots < sessions) {
    // Not through its network, which is in this process: while this one is busy, all workers would
    // seem silent and lose their sessions.
    const env = { ...probed, CONTROL_URL: control.url };
    const targets = () => [control.url];
    const worker = await RealWorker.start({ targets, turn: 0, dataDir: folder, env });
    closes.push(() => worker.kill());
    workers.push(worker);
  }
  const operatorKey = await newOperatorKey(control.url, ADMIN_PASSWORD);
  return { mediaServer, receiver, control, workers, operatorKey, folder };
}

const controlEnv = (mediaServer: RunningMediaServer): Record<string, string> => ({
  ...mediaServerEnv(mediaServer),
  // By name, so that the control plane needs its resolver.
  LIVEKIT_URL: mediaServer.url.replace('127.0.0.1', 'media.localhost'),
  LIVEKIT_PUBLIC_URL: mediaServer.url,
  TROUPE_API_KEY: API_KEY,
  // Each request is logged otherwise.
  LOG_LEVEL: 'warn',
  TROUPE_ADMIN_PASSWORD: ADMIN_PASSWORD,
  ALLOWED_NETWORKS: '127.0.0.0/8',
  REQUESTS_PER_MINUTE: '1000000000',
});

/** The last one first. */
async function closeAll(closes: Close[]): Promise<void> {
  for (const close of closes.toReversed()) await close();
}
