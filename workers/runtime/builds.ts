import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Build } from '#protocol/worker/gateway-messages.ts';
import type { PictureProblem } from '#protocol/pictures/picture-problems.ts';
import type { BuildFailed, BuildPlacement, Built } from '#protocol/worker/build-messages.ts';
import type { ControlLink } from './control-link.ts';
import { Outbox } from './reports/outbox.ts';

/** Hashes of blobs that the control plane has already, or why the picture is unsuitable. */
export type BuildOutcome = { bundle: string; portrait: string } | { reason: PictureProblem };

/** Rejects when aborted, or for a reason other than the picture: another worker may then try. */
export type BuildAvatar = (
  order: Build,
  during: { signal: AbortSignal; onProgress: (percent: number) => void },
) => Promise<BuildOutcome>;

type Building = { placement: BuildPlacement; progress: number; stop: AbortController };

type BuildsOptions = {
  link: Pick<ControlLink, 'send'>;
  build: BuildAvatar;
  clock: Clock;
  log: Log;
  /** How often progress is repeated to show that the build is alive. */
  progressEveryMs?: number;
  resendMs?: number;
};

/**
 * Builds at most one avatar at a time. A result waits in the outbox until the gateway acknowledges
 * it. Slots passes on the gateway's orders and closes this.
 */
export class Builds {
  readonly #link: Pick<ControlLink, 'send'>;
  readonly #build: BuildAvatar;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #progressEveryMs: number;
  readonly #outbox: Outbox<Built | BuildFailed>;
  /** Includes dropped builds that have not stopped yet. */
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

  /** The running build, and finished ones without acknowledgement. */
  get placements(): BuildPlacement[] {
    const finished = this.#outbox.waiting.map(({ placement }) => placement);
    return this.#building ? [this.#building.placement, ...finished] : finished;
  }

  /** Call on every new connection. */
  opened(): void {
    this.#outbox.sendAll();
    this.#sendProgress();
  }

  begin(order: Build): void {
    const { placement } = order;
    if (this.placements.some((buildPlacement) => isSame(buildPlacement, placement))) return;
    // A newer order for the same avatar supersedes the older one.
    if (this.#building?.placement.avatarId === placement.avatarId)
      this.drop(this.#building.placement);
    if (this.#building || this.#isDraining) {
      this.#link.send({ type: 'build_refused', placement, wasBegun: false });
      return;
    }
    this.#log.info(placement, 'avatar build started');
    const building: Building = { placement, progress: 0, stop: new AbortController() };
    this.#building = building;
    this.#sendProgress();
    const running = this.#perform(order, building).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Aborts the build and reports nothing. */
  drop(placement: BuildPlacement): void {
    this.#outbox.forget((report) => isSame(report.placement, placement));
    if (!this.#building || !isSame(this.#building.placement, placement)) return;
    this.#building.stop.abort();
    this.#leave(this.#building);
  }

  acknowledge(id: string): void {
    this.#outbox.acknowledge(id);
  }

  /** Refuses new builds. */
  drain(): void {
    this.#isDraining = true;
  }

  /**
   * Waits for the running build, then up to `waitMs` for acknowledgements. Resolves to whether all
   * were acknowledged.
   */
  async finished(waitMs: number): Promise<boolean> {
    await Promise.all(this.#running);
    return this.#outbox.emptied(waitMs);
  }

  /** Aborts the running build: the control plane assigns it to another worker. */
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
      this.#sendProgress();
    };
    try {
      const outcome = await this.#build(order, { signal: stop.signal, onProgress });
      if (this.#building !== building) return;
      this.#log.info({ ...placement, ...outcome }, 'avatar build finished');
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

  #sendProgress(): void {
    this.#cancelProgress();
    if (!this.#building) return;
    const { placement, progress } = this.#building;
    this.#link.send({ type: 'build_progress', placement, progress });
    this.#cancelProgress = this.#clock.after(this.#progressEveryMs, () => this.#sendProgress());
  }
}

const isSame = (a: BuildPlacement, b: BuildPlacement): boolean =>
  a.avatarId === b.avatarId && a.epoch === b.epoch;
