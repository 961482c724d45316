/* A running worker falls silent, and an idle one takes its session over. */
import type { Agent, Finished } from '../bench/rooms/agent.ts';
import { AvatarViewer } from '../support/picture/avatar-viewer.ts';
import type { RunningService } from '../support/processes/service.ts';
import { SignalProxy } from '../support/processes/proxies/signal-proxy.ts';
import { startWorker, type WorkerProcess } from '../support/processes/worker-process.ts';
import { risingTone } from '../support/sound/rising-tone.ts';
import { AVATAR, openAgentsRoom } from './agents-room.ts';

const RATE = 24_000;

/** `stopped`: SIGSTOP. `cut off`: its connections to control plane and room carry nothing. */
export const SILENCES = ['stopped', 'cut off'] as const;
export type Silence = (typeof SILENCES)[number];

type Session = { id: string; status: { type: string } };

export type Takeover = {
  /** Before and after. */
  sessions: [Session, Session];
  faces: AvatarViewer['faces'];
  /** The other worker's participant, and the time of its first frame at the viewer. */
  takeover: { sid: string; atMs: number };
  brokenAt: number;
  /** On a tone of two seconds that the agent said to the other worker. */
  report: Finished;
};

type WorkerEnv = { WORKER_TOKEN: string; [name: string]: string };
type Parts = {
  service: RunningService;
  env: WorkerEnv;
  control: SignalProxy;
  signals: SignalProxy;
};

/** Stop it after all tests. */
export class SilentWorkerStage {
  readonly #service: RunningService;
  readonly #env: WorkerEnv;
  readonly #control: SignalProxy;
  readonly #signals: SignalProxy;

  /** `env`: of workers. The stage decides which of two performs; the service's own does not. */
  static async open(service: RunningService, env: WorkerEnv): Promise<SilentWorkerStage> {
    const control = await SignalProxy.open(service.address);
    const signals = await SignalProxy.open(service.mediaServer.url);
    return new SilentWorkerStage({ service, env, control, signals });
  }

  private constructor({ service, env, control, signals }: Parts) {
    this.#service = service;
    this.#env = env;
    this.#control = control;
    this.#signals = signals;
  }

  /** A worker that performs becomes silent, another one takes over, and the first returns. */
  async takeOver(silence: Silence): Promise<Takeover> {
    const viewer = new AvatarViewer(AVATAR);
    const workers: WorkerProcess[] = [];
    let agent: Agent | undefined;
    try {
      const worker = await startWorker(this.#service, {
        ...this.#env,
        CONTROL_URL: this.#control.url,
      });
      workers.push(worker);
      const opened = await openAgentsRoom(this.#service, viewer, this.#signals);
      const { id } = opened;
      agent = opened.agent;
      await viewer.sees(25);
      const sessionBefore = await this.#find(id);
      workers.push(await startWorker(this.#service, this.#env));

      const sid = viewer.faces.current!;
      const brokenAt = performance.now();
      const heal = this.#breakOff(worker, silence);
      await viewer.seesOther(sid);
      const takeover = viewer.faces.firstOfOther(sid)!;
      await viewer.sees(25);
      heal();
      await worker.says(/session (ended|dropped)/);
      // If it was about to take the seat, it has done so by then.
      await viewer.sees(50);
      const finished = agent.nextFinished();
      await agent.say(risingTone(RATE, 2), RATE);
      await viewer.hears(1.5);
      const report = await finished;
      const sessions: [Session, Session] = [sessionBefore, await this.#find(id)];
      return { sessions, faces: viewer.faces, takeover, brokenAt, report };
    } finally {
      await viewer.leave();
      await agent?.leave();
      await this.#service.endSessions();
      for (const worker of workers) await worker.kill();
    }
  }

  async stop(): Promise<void> {
    this.#control.close();
    this.#signals.close();
    await this.#service.stop();
  }

  /** Returns the repair. */
  #breakOff({ pid }: WorkerProcess, silence: Silence): () => void {
    if (silence === 'stopped') {
      process.kill(pid, 'SIGSTOP');
      return () => process.kill(pid, 'SIGCONT');
    }
    const releases = [this.#control.hold(), this.#signals.hold()];
    return () => releases.forEach((release) => release());
  }

  async #find(id: string): Promise<Session> {
    return (await (await this.#service.api(`/v1/sessions/${id}`)).json()) as Session;
  }
}
