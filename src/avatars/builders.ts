import type { Build, DropBuild } from '#protocol/worker/gateway-messages.ts';
import type { BuildPlacement } from '../records/avatars/avatar-builds.ts';

/** A connected worker that builds avatars, one at a time. */
export interface Builder {
  readonly workerId: string;
  send(order: Build | DropBuild): void;
}

/**
 * The connected builders and the build of each. A disconnected worker keeps its build until
 * `takeBuild`.
 */
export class Builders {
  readonly #connected = new Map<string, Builder>();
  readonly #builds = new Map<string, BuildPlacement>();
  readonly #cooldownUntil = new Map<string, number>();

  /** Replaces an older connection of the same worker. */
  connect(builder: Builder): void {
    this.#connected.set(builder.workerId, builder);
  }

  disconnect(builder: Builder): void {
    if (!this.isCurrent(builder)) return;
    this.#connected.delete(builder.workerId);
    this.#cooldownUntil.delete(builder.workerId);
  }

  /** Whether this is still the worker's newest connection. */
  isCurrent(builder: Builder): boolean {
    return this.#connected.get(builder.workerId) === builder;
  }

  isConnected(workerId: string): boolean {
    return this.#connected.has(workerId);
  }

  begin(workerId: string, placement: BuildPlacement): void {
    this.#builds.set(workerId, placement);
  }

  /** Removes and returns the worker's build. */
  takeBuild(workerId: string): BuildPlacement | null {
    const placement = this.#builds.get(workerId) ?? null;
    this.#builds.delete(workerId);
    return placement;
  }

  /** Frees the worker, unless it already has another build. */
  end(workerId: string, placement: BuildPlacement): void {
    const current = this.#builds.get(workerId);
    if (current && isSame(current, placement)) this.#builds.delete(workerId);
  }

  /** The connected builder that has this build. */
  builderOf(placement: BuildPlacement): Builder | null {
    const hasIt = ({ workerId }: Builder) => {
      const current = this.#builds.get(workerId);
      return current !== undefined && isSame(current, placement);
    };
    return [...this.#connected.values()].find(hasIt) ?? null;
  }

  /** `until`: on the clock that `free` is given. */
  coolDown(workerId: string, until: number): void {
    this.#cooldownUntil.set(workerId, until);
  }

  /** A builder that can take a build now. */
  free(now: number): Builder | null {
    const isFree = ({ workerId }: Builder) =>
      !this.#builds.has(workerId) && (this.#cooldownUntil.get(workerId) ?? 0) <= now;
    return [...this.#connected.values()].find(isFree) ?? null;
  }
}

export const isSame = (a: BuildPlacement, b: BuildPlacement): boolean =>
  a.avatarId === b.avatarId && a.epoch === b.epoch;
