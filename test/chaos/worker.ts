import { appendFileSync } from 'node:fs';
import { systemClock } from '#shared/clock.ts';
import { createLog } from '#shared/log.ts';
import type { WorkerMessage } from '#protocol/worker/worker-messages.ts';
import { ControlLink } from '../../workers/runtime/control-link.ts';
import { Slots } from '../../workers/runtime/slots.ts';
import { Network } from './network.ts';
import type { Rooms } from './rooms.ts';
import { AVATAR, WORKER_TOKEN } from './names.ts';

const SLOTS = 4;

/** When it answers assignments. */
type Answers = 'at once' | 'slowly' | 'never';

/** A link that delays or drops the worker's answers. */
class FaultyLink extends ControlLink {
  answers: Answers = 'at once';

  override send(message: WorkerMessage): boolean {
    if (message.type !== 'accepted' || this.answers === 'at once') return super.send(message);
    if (this.answers === 'slowly') setTimeout(() => super.send(message), 2_500);
    return this.isOpen;
  }
}

type ChaosWorkerOptions = {
  workerId: string;
  targets: () => string[];
  turn: number;
  rooms: Rooms;
  chance: () => number;
  /** By default it logs nothing. */
  logFile?: string;
};

/** A worker with real link, slots and outbox, performances without media, and its own network. */
export class ChaosWorker {
  readonly workerId: string;
  readonly network: Network;
  readonly #rooms: Rooms;
  readonly #link: FaultyLink;
  readonly #slots: Slots;

  static async open(options: ChaosWorkerOptions): Promise<ChaosWorker> {
    return new ChaosWorker(options, await Network.open(options.targets, options.turn));
  }

  private constructor({ workerId, rooms, chance, logFile }: ChaosWorkerOptions, network: Network) {
    const write = (line: string) => void (logFile && appendFileSync(logFile, line));
    const log = createLog({ name: workerId, level: logFile ? 'info' : 'silent' }, { write });
    this.workerId = workerId;
    this.network = network;
    this.#rooms = rooms;
    this.#link = new FaultyLink({
      url: network.url,
      token: WORKER_TOKEN,
      facts: {
        workerId,
        kind: 'avatar',
        slots: SLOTS,
        transports: ['mediaserver'],
        avatars: [AVATAR],
        version: 'chaos',
      },
      clock: systemClock,
      log,
      random: chance,
    });
    this.#slots = new Slots({
      link: this.#link,
      perform: (assign) => rooms.perform(assign, workerId, 20 + chance() * 200),
      clock: systemClock,
      log,
      drain: { limitMs: 500 },
      reports: { loadEveryMs: 1_000 },
    });
    this.#slots.open();
  }

  set answers(answers: Answers) {
    this.#link.answers = answers;
  }

  get isConnected(): boolean {
    return this.#link.isOpen;
  }

  /** kill -9. */
  async kill(): Promise<void> {
    this.network.close();
    this.#rooms.vanish(this.workerId);
    await this.#slots.close();
    await this.#link.close();
  }

  /** Resolves when all its work is done, like the exit of a process. */
  async drain(): Promise<void> {
    this.#slots.drain();
    await this.#slots.drained;
    this.#rooms.vanish(this.workerId);
    await this.#slots.close();
    await this.#link.close();
    this.network.close();
  }
}
