import type { SessionBody } from '../../chaos/client.ts';
import { ControlPlanes } from '../../chaos/control-planes.ts';
import { inTime, leftOvers, problemsOf, type Opened } from '../../chaos/judge.ts';
import { AVATAR } from '../../chaos/names.ts';
import { Receiver } from '../../chaos/receiver.ts';
import { roomToken } from '../../chaos/room-token.ts';
import { Rooms } from '../../chaos/rooms.ts';
import { ChaosWorker } from '../../chaos/worker.ts';
import { copyDatabase } from '../../support/records/postgres-databases.ts';
import { PostgresServer } from '../../support/records/postgres.ts';
import { RedisServer } from '../../support/records/redis.ts';
import { until } from '../../support/until.ts';
import { KnowledgeTexts } from './knowledge-texts.ts';
import type { PreviousVersion } from './previous-version.ts';

/** Of 4 slots each, two workers have room for these and for one that comes and goes. */
const LONG_SESSIONS = 5;
const PATIENCE_MS = 30_000;

type UpgradeParts = {
  redis: RedisServer;
  postgres: PostgresServer;
  databaseUrl: string;
  receiver: Receiver;
  planes: ControlPlanes<string>;
};

/** Servers, control planes and workers of two versions. Close it. */
export class UpgradeStage {
  readonly #previous: PreviousVersion;
  readonly #redis: RedisServer;
  readonly #postgres: PostgresServer;
  readonly #databaseUrl: string;
  readonly #rooms = new Rooms();
  readonly #receiver: Receiver;
  readonly #planes: ControlPlanes<string>;
  readonly #texts: KnowledgeTexts;
  readonly #workers = new Map<string, ChaosWorker>();
  /** Sessions that live through every step. */
  readonly #long: Opened[] = [];
  readonly #short: Opened[] = [];

  static async open(previous: PreviousVersion): Promise<UpgradeStage> {
    const [redis, postgres, receiver] = await Promise.all([
      RedisServer.open(),
      PostgresServer.open(),
      Receiver.open(),
    ]);
    const databaseUrl = await copyDatabase(postgres.url);
    const shared = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url };
    const planes = await ControlPlanes.open<string>(shared);
    return new UpgradeStage(previous, { redis, postgres, databaseUrl, receiver, planes });
  }

  private constructor(previous: PreviousVersion, parts: UpgradeParts) {
    this.#previous = previous;
    this.#redis = parts.redis;
    this.#postgres = parts.postgres;
    this.#databaseUrl = parts.databaseUrl;
    this.#receiver = parts.receiver;
    this.#planes = parts.planes;
    this.#texts = new KnowledgeTexts(parts.planes.urls);
    this.say(`version before: ${previous.commit.slice(0, 8)}`);
  }

  say(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  /** After the first control plane has started, which creates the tables and the first account. */
  async begin(): Promise<void> {
    await this.#previous.addOperatorKey(this.#databaseUrl);
    await this.#receiver.subscribe(this.#planes.client);
  }

  startOld(name: string): Promise<void> {
    return this.#planes.start(name, this.#previous.folder);
  }

  startNew(name: string): Promise<void> {
    return this.#planes.start(name);
  }

  stop(name: string): Promise<void> {
    return this.#planes.stop(name);
  }

  async startWorker(name: string, version: 'old' | 'new'): Promise<void> {
    const Worker = version === 'old' ? this.#previous.Worker : ChaosWorker;
    const worker = await Worker.open({
      workerId: name.replaceAll(' ', '-'),
      targets: this.#planes.urls,
      turn: this.#workers.size,
      rooms: this.#rooms,
      chance: () => 0.5,
    });
    this.#workers.set(name, worker);
    await until(() => worker.isConnected, PATIENCE_MS);
  }

  /** Its sessions move to other workers. */
  async drain(name: string): Promise<void> {
    const worker = this.#workers.get(name);
    this.#workers.delete(name);
    await worker?.drain();
  }

  /** Opens and ends sessions while `run` changes the versions. */
  async step(name: string, run: () => Promise<void>): Promise<void> {
    const startedAt = performance.now();
    let isChanging = true;
    const changing = run().finally(() => (isChanging = false));
    const visiting = this.#workers.size > 0 ? this.#visit(() => isChanging) : Promise.resolve();
    await Promise.all([changing, visiting]);
    while (this.#long.length < LONG_SESSIONS) await this.#open(this.#long);
    await this.#visit(() => false);
    await this.#texts.add();
    const problems = [
      ...(await inTime(() => problemsOf(this.#scene, this.#all))),
      ...(await this.#texts.problems()),
    ];
    if (problems.length > 0) throw new Error(`${name}: ${problems.join('\n')}`);
    const took = `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
    this.say(`  ${name}: ${this.#all.length} sessions, none lost (${took})`);
  }

  /** Ends all sessions. Nothing may be left of them. */
  async end(): Promise<void> {
    for (const session of this.#long) await this.#end(session);
    const problems = await inTime(() => leftOvers(this.#scene, this.#all));
    if (problems.length > 0) throw new Error(problems.join('\n'));
    if (this.#rooms.problems.length > 0) throw new Error(this.#rooms.problems.join('\n'));
    this.say(`  ended: ${this.#all.length} sessions, each reported once`);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#workers.values()].map((worker) => worker.kill()));
    await this.#planes.close();
    await this.#receiver.close();
    await Promise.all([this.#redis.close(), this.#postgres.close()]);
  }

  get #scene() {
    return { client: this.#planes.client, rooms: this.#rooms, receiver: this.#receiver };
  }

  get #all(): Opened[] {
    return [...this.#long, ...this.#short];
  }

  /** At least one short session, at any of the control planes. */
  async #visit(goesOn: () => boolean): Promise<void> {
    do {
      const session = await this.#open(this.#short);
      await until(() => this.#rooms.seated.has(session.id), PATIENCE_MS);
      await this.#end(session);
    } while (goesOn());
  }

  async #open(sessions: Opened[]): Promise<Opened> {
    const token = await roomToken(`room-${this.#all.length}`);
    const answer = await this.#planes.client.call<SessionBody>('POST', '/v1/sessions', {
      avatar_id: AVATAR,
      url: 'wss://media.example',
      token,
    });
    if (answer?.status !== 201)
      throw new Error(`no session was opened: ${JSON.stringify(answer?.body ?? answer)}`);
    const session: Opened = { id: answer.body.id, isEnded: false };
    sessions.push(session);
    return session;
  }

  async #end(session: Opened): Promise<void> {
    session.isEnded = true;
    const answer = await this.#planes.client.call('POST', `/v1/sessions/${session.id}/end`, {});
    if (answer?.status !== 200) throw new Error(`a session was not ended: ${answer?.status}`);
  }
}
