import { Candidate } from './candidate.ts';
import { Conversation } from './conversation.ts';
import { Stage } from './stage.ts';
import { within } from '../stage/time-limit.ts';
import { FIRST_AVATAR } from '../support/cast.ts';

export type KitOptions = { command: string; talkSeconds: number };

/** Sessions at once that every worker must offer. */
const SLOTS = 2;
const LEFT_MS = 10_000;

/** The worker under test on its stage. Checks share one process until one of them ends it. */
export class Kit {
  readonly talkSeconds: number;
  readonly stage: Stage;
  readonly #command: string;
  readonly #candidates: Candidate[] = [];
  #shared: Candidate | null = null;

  static async open(options: KitOptions): Promise<Kit> {
    return new Kit(options, await Stage.open());
  }

  private constructor({ command, talkSeconds }: KitOptions, stage: Stage) {
    this.#command = command;
    this.talkSeconds = talkSeconds;
    this.stage = stage;
  }

  /** The shared worker, registered. */
  async worker(): Promise<Candidate> {
    if (this.#shared && !this.#shared.hasExited) return this.#shared;
    this.#shared = await this.start();
    return this.#shared;
  }

  /** Another worker; resolves when it is registered. */
  async start(): Promise<Candidate> {
    const candidate = await this.spawn();
    await candidate.registered();
    return candidate;
  }

  /** Another worker, which may never register. */
  async spawn(announcedProtocol?: number): Promise<Candidate> {
    const { address, workerToken, dataDir } = this.stage.service;
    const candidate = await Candidate.spawn({
      command: this.#command,
      url: address,
      announcedProtocol: announcedProtocol ?? null,
      env: {
        WORKER_TOKEN: workerToken,
        WORKER_SLOTS: String(SLOTS),
        DRAIN_SECONDS: '60',
        DATA_DIR: dataDir,
      },
    });
    this.#candidates.push(candidate);
    return candidate;
  }

  /** A session on this worker, the only one that is connected. */
  open(worker: Candidate): Promise<Conversation> {
    const [register] = worker.tap.sent('register');
    return Conversation.open(this.stage, register?.message.avatars[0] ?? FIRST_AVATAR.alias);
  }

  /** Runs `use` with a session on the shared worker, and ends it. */
  async converse<Result>(
    use: (conversation: Conversation, worker: Candidate) => Promise<Result>,
  ): Promise<Result> {
    const worker = await this.worker();
    const conversation = await this.open(worker);
    const { id } = conversation;
    const result = await use(conversation, worker).catch(async (error: unknown) => {
      // The first problem is the one to print.
      await conversation.close().catch(() => {});
      throw error;
    });
    await conversation.close();
    await within(LEFT_MS, 'the worker reports `ended`', () =>
      worker.tap.sent('ended').some(({ message }) => message.placement.sessionId === id),
    );
    return result;
  }

  /** The last lines of every worker's output. */
  get lastLines(): string {
    return this.#candidates.map(({ lastLines }) => lastLines).join('\n');
  }

  /** Kills all workers. */
  async clear(): Promise<void> {
    this.#shared = null;
    for (const candidate of this.#candidates.splice(0)) await candidate.kill();
  }

  async close(): Promise<void> {
    await this.clear();
    await this.stage.service.close();
  }
}
