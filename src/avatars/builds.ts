/*
 * Assigns avatar builds to workers. All state is in the records (see `avatar-builds.ts`), so a
 * restart loses nothing and several control planes can share the queue: a claim expires unless its
 * worker reports progress, and each claim has a higher epoch, so late reports of an older one are
 * stale.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { endRound, requestRound, type Rounds } from '#shared/rounds.ts';
import type { PictureProblem } from '#protocol/pictures/picture-problems.ts';
import { avatarReady } from '../events/events.ts';
import type {
  AvatarBuildRecords,
  BuildPlacement,
  BuildResult,
  ReportedBuild,
} from '../records/avatars/avatar-builds.ts';
import type { AvatarRecord } from '../records/avatars/avatars.ts';
import type { Blobs } from '../records/blobs.ts';
import { isBrokenReference } from '../records/engine/database.ts';
import type { Outbox } from '../records/webhooks/outbox.ts';
import { Builders, isSame, type Builder } from './builders.ts';

const POLL_EVERY_MS = 1_000;
/** A claim expires this long after its worker's last report; several report intervals. */
export const CLAIM_MS = 15_000;
/** A picture that loses this many workers may be the cause. */
const MAX_TRIES = 3;
/** An avatar that is not built within this time fails. */
export const GIVE_UP_MS = 10 * 60_000;
/** Pause before a worker that refused is offered another build. */
const COOLDOWN_MS = 5_000;
const SWEEP_EVERY_MS = 3_600_000;

type BuildVerdict = 'recorded' | 'stale';

type BuildsParts = {
  records: AvatarBuildRecords;
  blobs: Pick<Blobs, 'sweep'>;
  outbox: Pick<Outbox, 'add'>;
  clock: Clock;
  log: Log;
};

/** Close it before the records. */
export class Builds {
  readonly #parts: BuildsParts;
  readonly #builders = new Builders();
  readonly #running = new Set<Promise<unknown>>();
  #polls: Rounds = 'idle';
  #sweepAt = 0;
  #isClosed = false;
  #cancelPoll: () => void = () => {};

  constructor(parts: BuildsParts) {
    this.#parts = parts;
  }

  start(): void {
    this.wake();
    if (this.#isClosed) return;
    this.#cancelPoll = this.#parts.clock.after(POLL_EVERY_MS, () => this.start());
  }

  /** Call when an avatar may be waiting or a worker may be free. */
  wake(): void {
    if (this.#isClosed) return;
    const rounds = this.#polls;
    this.#polls = requestRound(rounds);
    if (rounds === 'idle') this.#run(() => this.#pollInRounds());
  }

  async #pollInRounds(): Promise<void> {
    try {
      while (this.#polls !== 'idle' && !this.#isClosed) {
        await this.#poll();
        this.#polls = endRound(this.#polls);
      }
    } catch (error) {
      this.#polls = 'idle';
      throw error;
    }
  }

  /** `building`: builds that the worker still runs, or whose result was not acknowledged. */
  workerCame(builder: Builder, building: BuildPlacement[]): void {
    const { workerId } = builder;
    const olderBuild = this.#builders.takeBuild(workerId);
    this.#builders.connect(builder);
    for (const placement of building) {
      this.#builders.begin(workerId, placement);
      this.#run(async () => {
        if (!(await this.#renewClaim({ ...placement, workerId }))) this.#drop(builder, placement);
      });
    }
    if (olderBuild && !building.some((placement) => isSame(placement, olderBuild)))
      this.#release({ ...olderBuild, workerId });
    this.wake();
  }

  /** The connection broke. The worker keeps its build for a while, but gets no new one. */
  workerAway(builder: Builder): void {
    this.#builders.disconnect(builder);
  }

  /** The worker did not reconnect in time. */
  workerLost(workerId: string): void {
    if (this.#builders.isConnected(workerId)) return;
    const placement = this.#builders.takeBuild(workerId);
    if (placement) this.#release({ ...placement, workerId });
  }

  progressed(builder: Builder, placement: BuildPlacement, progress: number): void {
    this.#run(async () => {
      const claim = { ...placement, workerId: builder.workerId };
      if (!(await this.#renewClaim(claim, progress))) this.#drop(builder, placement);
    });
  }

  /** `wasBegun`: the worker started the build and gave up; else it did not accept it. */
  refused(builder: Builder, placement: BuildPlacement, wasBegun: boolean): void {
    const { workerId } = builder;
    this.#builders.coolDown(workerId, this.#parts.clock.elapsed() + COOLDOWN_MS);
    this.#builders.end(workerId, placement);
    this.#release({ ...placement, workerId }, wasBegun);
  }

  /** Rejects if the result could not be recorded; the worker repeats it. */
  async settled(
    builder: Builder,
    placement: BuildPlacement,
    result: BuildResult,
  ): Promise<BuildVerdict> {
    const { workerId } = builder;
    const verdict = await this.#settle({ ...placement, workerId }, result);
    this.#builders.end(workerId, placement);
    this.wake();
    return verdict;
  }

  /** Running builds continue; the next start finds them in the records. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelPoll();
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #poll(): Promise<void> {
    const { records, blobs, clock } = this.#parts;
    const now = clock.now();
    for (const { id, epoch } of await records.overdue(now - GIVE_UP_MS)) {
      await this.#settle({ avatarId: id, epoch, workerId: null }, failed('took_too_long'));
    }
    while (!this.#isClosed) {
      const avatar = await records.waiting(now);
      if (!avatar) break;
      this.#dropExpired({ avatarId: avatar.id, epoch: avatar.epoch });
      const builder = this.#builders.free(clock.elapsed());
      if (!builder) break;
      await this.#assign(builder, avatar);
    }
    if (now < this.#sweepAt) return;
    this.#sweepAt = now + SWEEP_EVERY_MS;
    await blobs.sweep(now);
  }

  async #assign(builder: Builder, avatar: AvatarRecord): Promise<void> {
    const { records, clock, log } = this.#parts;
    const { id: avatarId, epoch, tries, name, pictureHash, background, backgroundHash } = avatar;
    if (tries >= MAX_TRIES) {
      await this.#settle({ avatarId, epoch, workerId: null }, failed('build_failed'));
      return;
    }
    const { workerId } = builder;
    const placement = { avatarId, epoch: epoch + 1 };
    // Occupy the builder before awaiting the claim, so that it gets no second build.
    this.#builders.begin(workerId, placement);
    let isClaimed = false;
    try {
      isClaimed = await records.claim(avatar, workerId, clock.now() + CLAIM_MS);
    } finally {
      if (!isClaimed) this.#builders.end(workerId, placement);
    }
    if (!isClaimed) return;
    if (!this.#builders.isCurrent(builder)) {
      // The worker disconnected, and perhaps reconnected, during the claim.
      this.#builders.end(workerId, placement);
      await records.release({ ...placement, workerId }, false);
      return;
    }
    log.info({ ...placement, workerId }, 'avatar build started');
    builder.send({
      type: 'build',
      placement,
      name,
      picture: pictureHash,
      background,
      ...(backgroundHash !== null && { backgroundPicture: backgroundHash }),
    });
  }

  async #renewClaim(placement: ReportedBuild, progress?: number): Promise<boolean> {
    const { records, clock } = this.#parts;
    return records.renewClaim(placement, clock.now() + CLAIM_MS, progress);
  }

  async #settle(placement: ReportedBuild, result: BuildResult): Promise<BuildVerdict> {
    const { records, outbox, clock, log } = this.#parts;
    const now = clock.now();
    try {
      const isValid = await records.settle(placement, result, now, async (trx, avatar) => {
        // Failures have no event; clients see them in the avatar's status.
        if (avatar.status === 'ready') {
          await outbox.add(trx, avatarReady(avatar.accountId, avatar, now));
        }
      });
      if (!isValid) return 'stale';
    } catch (error) {
      if (!isBrokenReference(error)) throw error;
      // The uploaded blobs were removed meanwhile; build the avatar again.
      log.warn({ ...placement, err: error }, 'blobs of a built avatar are missing');
      await records.release(placement, true);
      return 'recorded';
    }
    log.info({ ...placement, ...result }, 'avatar build finished');
    return 'recorded';
  }

  #release(placement: ReportedBuild, wasBegun = true): void {
    this.#run(async () => {
      await this.#parts.records.release(placement, wasBegun);
      this.wake();
    });
  }

  /** Stops the builder whose claim on a waiting avatar has expired. */
  #dropExpired(placement: BuildPlacement): void {
    const builder = this.#builders.builderOf(placement);
    if (!builder) return;
    const { workerId } = builder;
    this.#parts.log.warn({ ...placement, workerId }, 'avatar build claim expired');
    this.#builders.end(workerId, placement);
    builder.send({ type: 'drop_build', placement });
  }

  #drop(builder: Builder, placement: BuildPlacement): void {
    this.#builders.end(builder.workerId, placement);
    builder.send({ type: 'drop_build', placement });
    this.wake();
  }

  /** Errors are logged only: the records may be unavailable, and the next poll retries. */
  #run(work: () => Promise<unknown>): void {
    const running = work()
      .catch((err: unknown) => this.#parts.log.error({ err }, 'avatar build step failed'))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}

const failed = (reason: PictureProblem): BuildResult => ({ reason });
