import { BotroomClient } from '../support/botrooms/botroom-client.ts';
import { MOVING, type RunningService } from '../support/processes/service.ts';
import { startWorker, type WorkerProcess } from '../support/processes/worker-process.ts';
import { risingTone } from '../support/sound/rising-tone.ts';
import { until } from '../support/until.ts';
import { FIRST_AVATAR } from '../support/cast.ts';

const RATE = 16_000;
/** At the sample rate of the client. */
const SECOND = 48_000;

type Session = {
  id: string;
  url: string;
  token: string;
  status: { type: string };
  end_reason?: string;
};

/** Botrooms of a `MOVING` service, and bots in them. Call `empty` after each test. */
export class BotroomStage {
  readonly service: RunningService;
  #clients: BotroomClient[] = [];
  #workers: WorkerProcess[] = [];

  constructor(service: RunningService) {
    this.service = service;
  }

  async join(): Promise<{ id: string; client: BotroomClient }> {
    const body = { transport: 'botroom', avatar_id: FIRST_AVATAR.alias };
    const { id, url, token } = await this.service.make<Session>('/v1/sessions', body);
    const client = new BotroomClient(url, token);
    this.#clients.push(client);
    await client.ready();
    return { id, client };
  }

  async find(id: string): Promise<Session> {
    return (await (await this.service.api(`/v1/sessions/${id}`)).json()) as Session;
  }

  async startSecondWorker(): Promise<void> {
    this.#workers.push(await startWorker(this.service, MOVING));
  }

  /** Interrupts a tone of three seconds once one was heard. Resolves when all is silent. */
  async interrupt(client: BotroomClient): Promise<{ interruptedAt: number }> {
    // Sent in about a second. What a client sends after its interruption is another utterance.
    await client.speak(risingTone(RATE, 3), RATE);
    await client.untilLoud();
    await until(() => client.soundSince().length > SECOND);
    client.send('interrupt');
    const interruptedAt = performance.now();
    await client.untilSilent();
    return { interruptedAt };
  }

  /** Kills a speaking bot's worker. Resolves when the next one has repeated a second of speech. */
  async killWorker(client: BotroomClient): Promise<{ killedAt: number }> {
    const speaking = client.speak(risingTone(RATE, 3), RATE);
    await client.untilLoud();
    const killedAt = performance.now();
    process.kill(await this.service.pid('worker'), 'SIGKILL');
    await until(() => client.takeovers.length > 0);
    await speaking;
    await client.untilSilent();
    await this.#repeatASecond(client);
    return { killedAt };
  }

  /** The same where the worker drains. */
  async drainWorker(client: BotroomClient): Promise<{ drainedAt: number }> {
    await client.speak(risingTone(RATE, 2), RATE);
    await client.untilLoud();
    const drainedAt = performance.now();
    process.kill(await this.service.pid('worker'), 'SIGTERM');
    await until(() => client.takeovers.length > 0);
    await this.#repeatASecond(client);
    return { drainedAt };
  }

  async empty(): Promise<void> {
    await this.service.endSessions();
    for (const client of this.#clients.splice(0)) await client.leave();
    for (const worker of this.#workers.splice(0)) await worker.kill();
  }

  async #repeatASecond(client: BotroomClient): Promise<void> {
    const saidAt = performance.now();
    await client.speak(risingTone(RATE, 1), RATE);
    await client.untilLoud(saidAt);
    await client.untilSilent();
  }
}
