/*
 * Which worker makes which avatar of its picture. The records say all of it: a claim on an avatar holds for a while and is renewed by what its
 * worker says, so nothing is lost with this process, and of two control planes one is faster. A build is
 * waiting  nobody's claim on it holds       -> claimed by a worker that is free; failed after too long or too many tries
 * claimed  its worker is at work            -> ready or failed by its report; waiting when the worker is lost, silent or refuses
 * Each claim has a higher epoch than the one before: what a worker says under an older one is refused.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { PictureProblem } from '#protocol/picture-problems.ts';
import { avatarReady } from '../events/events.ts';
import type { AvatarBuildRecords, BuildPlacement, BuildResult } from '../records/avatar-builds.ts';
import type { AvatarRecord } from '../records/avatars.ts';
import type { Blobs } from '../records/blobs.ts';
import { isBrokenReference } from '../records/engine/database.ts';
import type { Outbox } from '../records/outbox.ts';
import { Builders, isSame, type Builder } from './builders.ts';

const LOOK_EVERY_MS = 1_000;
/** How long a claim holds after its worker's last word: some times longer than workers are silent. */
export const CLAIM_MS = 15_000;
/** How many workers may be lost over one picture: it may be the picture. */
const MAX_TRIES = 3;
/** How long an avatar may be asked for in vain. */
export const GIVE_UP_MS = 10 * 60_000;
/** How long a worker that refused is left alone. */
const REST_MS = 5_000;
const SWEEP_EVERY_MS = 3_600_000;

export type BuildVerdict = 'recorded' | 'stale';

export type BuildsParts = {
  records: AvatarBuildRecords;
  blobs: Pick<Blobs, 'sweep'>;
  outbox: Pick<Outbox, 'tell'>;
  clock: Clock;
  log: Log;
};

/** Close it before the records. */
export class Builds {
  readonly #parts: BuildsParts;
  readonly #builders = new Builders();
  readonly #running = new Set<Promise<unknown>>();
  #isLooking = false;
  #mustLookAgain = false;
  #sweepAt = 0;
  #isClosed = false;
  #cancelLook: () => void = () => {};

  constructor(parts: BuildsParts) {
    this.#parts = parts;
  }

  start(): void {
    this.wake();
    if (this.#isClosed) return;
    this.#cancelLook = this.#parts.clock.after(LOOK_EVERY_MS, () => this.start());
  }

  /** Something may be waiting, or somebody be free. */
  wake(): void {
    this.#mustLookAgain = true;
    if (this.#isLooking || this.#isClosed) return;
    this.#isLooking = true;
    this.#run(async () => {
      try {
        while (this.#mustLookAgain && !this.#isClosed) {
          this.#mustLookAgain = false;
          await this.#look();
        }
      } finally {
        this.#isLooking = false;
      }
    });
  }

  /** For the first time, or again: `building` is what it is at work on, or has a result of that was not acknowledged. */
  workerCame(builder: Builder, building: BuildPlacement[]): void {
    const { workerId } = builder;
    const before = this.#builders.takeWork(workerId);
    this.#builders.come(builder);
    for (const placement of building) {
      this.#builders.begin(workerId, placement);
      this.#run(async () => {
        if (!(await this.#proceed(placement))) this.#drop(builder, placement);
      });
    }
    if (before && !building.some((placement) => isSame(placement, before))) this.#release(before);
    this.wake();
  }

  /** Its connection broke: it is given nothing, and has a moment to come back. */
  workerAway(builder: Builder): void {
    this.#builders.leave(builder);
  }

  /** It did not come back in time. */
  workerLost(workerId: string): void {
    if (!this.#builders.isAway(workerId)) return;
    const placement = this.#builders.takeWork(workerId);
    if (placement) this.#release(placement);
  }

  progressed(builder: Builder, placement: BuildPlacement, progress: number): void {
    this.#run(async () => {
      if (!(await this.#proceed(placement, progress))) this.#drop(builder, placement);
    });
  }

  /** The worker cannot take it now; or `wasBegun`, and could not be done there. */
  refused(builder: Builder, placement: BuildPlacement, wasBegun: boolean): void {
    const { workerId } = builder;
    this.#builders.rest(workerId, this.#parts.clock.elapsed() + REST_MS);
    this.#builders.end(workerId, placement);
    this.#release(placement, wasBegun);
  }

  /** Rejects when it could not be recorded: the worker will say it again. */
  async settled(
    builder: Builder,
    placement: BuildPlacement,
    result: BuildResult,
  ): Promise<BuildVerdict> {
    const verdict = await this.#settle(placement, result);
    this.#builders.end(builder.workerId, placement);
    this.wake();
    return verdict;
  }

  /** What workers are at work on goes on: the next start finds it in the records. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelLook();
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #look(): Promise<void> {
    const { records, blobs, clock } = this.#parts;
    const now = clock.now();
    for (const { id, epoch } of await records.overdue(now - GIVE_UP_MS)) {
      await this.#settle({ avatarId: id, epoch }, failed('took_too_long'));
    }
    while (!this.#isClosed) {
      const avatar = await records.waiting(now);
      if (!avatar) break;
      this.#dropSilent({ avatarId: avatar.id, epoch: avatar.epoch });
      const builder = this.#builders.free(clock.elapsed());
      if (!builder) break;
      await this.#give(builder, avatar);
    }
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + SWEEP_EVERY_MS;
    await blobs.sweep(now);
  }

  async #give(builder: Builder, avatar: AvatarRecord): Promise<void> {
    const { records, clock, log } = this.#parts;
    const { id: avatarId, epoch, tries, name, pictureHash, background, backgroundHash } = avatar;
    if (tries >= MAX_TRIES) {
      await this.#settle({ avatarId, epoch }, failed('build_failed'));
      return;
    }
    const { workerId } = builder;
    const placement = { avatarId, epoch: epoch + 1 };
    // Before the claim is written: nothing else may be given to it meanwhile.
    this.#builders.begin(workerId, placement);
    let isOurs = false;
    try {
      isOurs = await records.claim(avatar, workerId, clock.now() + CLAIM_MS);
    } finally {
      if (!isOurs) this.#builders.end(workerId, placement);
    }
    if (!isOurs) return;
    if (!this.#builders.isHere(builder)) {
      // It left, and perhaps came back, before it was told.
      this.#builders.end(workerId, placement);
      await records.release(placement, false);
      return;
    }
    log.info({ ...placement, workerId }, 'avatar build begun');
    builder.build({ ...placement, name, pictureHash, background, backgroundHash });
  }

  async #proceed(placement: BuildPlacement, progress?: number): Promise<boolean> {
    const { records, clock } = this.#parts;
    return records.proceed(placement, clock.now() + CLAIM_MS, progress);
  }

  async #settle(placement: BuildPlacement, result: BuildResult): Promise<BuildVerdict> {
    const { records, outbox, clock, log } = this.#parts;
    const now = clock.now();
    try {
      const isValid = await records.settle(placement, result, now, async (trx, avatar) => {
        // A failure is told to nobody: whoever waits sees it where progress is seen.
        if (avatar.status === 'ready') {
          await outbox.tell(trx, avatarReady(avatar.accountId, avatar, now));
        }
      });
      if (!isValid) return 'stale';
    } catch (error) {
      if (!isBrokenReference(error)) throw error;
      // What the worker has put here is not here any more: it is built again.
      log.warn({ ...placement, err: error }, 'blobs of a built avatar are missing');
      await records.release(placement, true);
      return 'recorded';
    }
    log.info({ ...placement, ...result }, 'avatar build over');
    return 'recorded';
  }

  #release(placement: BuildPlacement, wasBegun = true): void {
    this.#run(async () => {
      await this.#parts.records.release(placement, wasBegun);
      this.wake();
    });
  }

  /** Whoever was at work on what waits again has said nothing for too long. */
  #dropSilent(placement: BuildPlacement): void {
    const builder = this.#builders.at(placement);
    if (!builder) return;
    const { workerId } = builder;
    this.#parts.log.warn({ ...placement, workerId }, 'avatar build is silent');
    this.#builders.end(workerId, placement);
    builder.dropBuild(placement);
  }

  #drop(builder: Builder, placement: BuildPlacement): void {
    this.#builders.end(builder.workerId, placement);
    builder.dropBuild(placement);
    this.wake();
  }

  /** The records may be away for a while: the next look tries again. */
  #run(work: () => Promise<unknown>): void {
    const running = work()
      .catch((err: unknown) => this.#parts.log.error({ err }, 'avatar builds not served'))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}

const failed = (reason: PictureProblem): BuildResult => ({ reason });
