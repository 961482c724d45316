/*
 * The one avatar that this worker builds, if any. A build is
 * building  from the order on              -> told when it is over, gone when it is dropped
 * told      its result is in the outbox    -> gone when the gateway has acknowledged it
 *
 * Builds owns the build and its own outbox; Slots hands over what the gateway orders, and closes it with itself.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Build } from '#protocol/gateway-messages.ts';
import type { PictureProblem } from '#protocol/picture-problems.ts';
import type { BuildFailed, BuildPlacement, Built } from '#protocol/worker-messages.ts';
import type { ControlLink } from './control-link.ts';
import { Outbox } from './outbox.ts';

/** Names of blobs that the control plane has already, or why there are none. */
export type BuildOutcome = { bundle: string; portrait: string } | { reason: PictureProblem };

/** Rejects when it is aborted, or for a reason that is not the picture's: then it is to be tried elsewhere. */
export type BuildAvatar = (
  order: Build,
  during: { signal: AbortSignal; onProgress: (percent: number) => void },
) => Promise<BuildOutcome>;

type Building = { placement: BuildPlacement; progress: number; stop: AbortController };

export type BuildsOptions = {
  link: Pick<ControlLink, 'send'>;
  build: BuildAvatar;
  clock: Clock;
  log: Log;
  /** How often it says that it is still at work. */
  progressEveryMs?: number;
  resendMs?: number;
};

export class Builds {
  readonly #link: Pick<ControlLink, 'send'>;
  readonly #build: BuildAvatar;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #progressEveryMs: number;
  readonly #outbox: Outbox<Built | BuildFailed>;
  /** Also those that were dropped and are not over yet. */
  readonly #running = new Set<Promise<void>>();
  #building: Building | null = null;
  #isDraining = false;
  #cancelProgress: () => void = () => {};

  constructor({ link, build, clock, log, progressEveryMs = 4_000, resendMs }: BuildsOptions) {
    this.#link = link;
    this.#build = build;
    this.#clock = clock;
    this.#log = log;
    this.#progressEveryMs = progressEveryMs;
    this.#outbox = new Outbox({
      clock,
      send: (report) => link.send(report),
      ...(resendMs === undefined ? {} : { resendMs }),
    });
  }

  /** What is being built, or is over without being acknowledged. */
  get placements(): BuildPlacement[] {
    const told = this.#outbox.waiting.map(({ placement }) => placement);
    return this.#building ? [this.#building.placement, ...told] : told;
  }

  /** A connection stands. */
  opened(): void {
    this.#outbox.sendAll();
    this.#sayProgress();
  }

  begin(order: Build): void {
    const { placement } = order;
    if (this.placements.some((known) => isSame(known, placement))) return;
    // A newer try of the same avatar: whoever gave the order has given the older one up.
    if (this.#building?.placement.avatarId === placement.avatarId)
      this.drop(this.#building.placement);
    if (this.#building || this.#isDraining) {
      this.#link.send({ type: 'build_refused', placement, wasBegun: false });
      return;
    }
    this.#log.info(placement, 'avatar build begun');
    const building: Building = { placement, progress: 0, stop: new AbortController() };
    this.#building = building;
    this.#sayProgress();
    const running = this.#perform(order, building).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** It is nobody's any more. */
  drop(placement: BuildPlacement): void {
    this.#outbox.forget((report) => isSame(report.placement, placement));
    if (!this.#building || !isSame(this.#building.placement, placement)) return;
    this.#building.stop.abort();
    this.#leave(this.#building);
  }

  acknowledge(id: string): void {
    this.#outbox.acknowledge(id);
  }

  /** Begins nothing new. */
  drain(): void {
    this.#isDraining = true;
  }

  /** Resolves when nothing is being built; with what is built acknowledged, or after `waitMs`. */
  async finished(waitMs: number): Promise<boolean> {
    await Promise.all(this.#running);
    return this.#outbox.emptied(waitMs);
  }

  /** What is being built is given up: the control plane has it built elsewhere. */
  async close(): Promise<void> {
    this.#isDraining = true;
    if (this.#building) this.drop(this.#building.placement);
    await Promise.all(this.#running);
    this.#outbox.close();
  }

  async #perform(order: Build, building: Building): Promise<void> {
    const { placement, stop } = building;
    const onProgress = (percent: number) => {
      if (this.#building !== building || percent <= building.progress) return;
      building.progress = percent;
      this.#sayProgress();
    };
    try {
      const outcome = await this.#build(order, { signal: stop.signal, onProgress });
      if (this.#building !== building) return;
      this.#log.info({ ...placement, ...outcome }, 'avatar build over');
      this.#outbox.add(
        'reason' in outcome
          ? { type: 'build_failed', placement, ...outcome }
          : { type: 'built', placement, ...outcome },
      );
    } catch (error) {
      if (this.#building !== building) return;
      this.#log.error({ ...placement, err: error }, 'avatar build failed');
      this.#link.send({ type: 'build_refused', placement, wasBegun: true });
    }
    this.#leave(building);
  }

  #leave(building: Building): void {
    if (this.#building !== building) return;
    this.#building = null;
    this.#cancelProgress();
  }

  #sayProgress(): void {
    this.#cancelProgress();
    if (!this.#building) return;
    const { placement, progress } = this.#building;
    this.#link.send({ type: 'build_progress', placement, progress });
    this.#cancelProgress = this.#clock.after(this.#progressEveryMs, () => this.#sayProgress());
  }
}

const isSame = (a: BuildPlacement, b: BuildPlacement): boolean =>
  a.avatarId === b.avatarId && a.epoch === b.epoch;
