import type { AvatarRecord } from '../records/avatars.ts';
import type { BuildPlacement } from '../records/avatar-builds.ts';

export type BuildOrder = BuildPlacement &
  Pick<AvatarRecord, 'name' | 'pictureHash' | 'background' | 'backgroundHash'>;

/** A connected worker that builds: one avatar at a time. */
export interface Builder {
  readonly workerId: string;
  build(order: BuildOrder): void;
  /** Stop it, and say no more about it. */
  dropBuild(placement: BuildPlacement): void;
}

/** The workers that build, and what each is at work on as far as we know. One that is away keeps its work until it is taken from it. */
export class Builders {
  readonly #here = new Map<string, Builder>();
  readonly #work = new Map<string, BuildPlacement>();
  readonly #restsUntil = new Map<string, number>();

  /** The newest connection of a worker counts. */
  come(builder: Builder): void {
    this.#here.set(builder.workerId, builder);
  }

  leave(builder: Builder): void {
    if (!this.isHere(builder)) return;
    this.#here.delete(builder.workerId);
    this.#restsUntil.delete(builder.workerId);
  }

  isHere(builder: Builder): boolean {
    return this.#here.get(builder.workerId) === builder;
  }

  isAway(workerId: string): boolean {
    return !this.#here.has(workerId);
  }

  begin(workerId: string, placement: BuildPlacement): void {
    this.#work.set(workerId, placement);
  }

  /** Null when it was at work on nothing. */
  takeWork(workerId: string): BuildPlacement | null {
    const placement = this.#work.get(workerId) ?? null;
    this.#work.delete(workerId);
    return placement;
  }

  /** It is not at work on this any more. */
  end(workerId: string, placement: BuildPlacement): void {
    const known = this.#work.get(workerId);
    if (known && isSame(known, placement)) this.#work.delete(workerId);
  }

  /** Who is at work on it, and connected. */
  at(placement: BuildPlacement): Builder | null {
    const isAt = ({ workerId }: Builder) => {
      const known = this.#work.get(workerId);
      return known !== undefined && isSame(known, placement);
    };
    return [...this.#here.values()].find(isAt) ?? null;
  }

  rest(workerId: string, until: number): void {
    this.#restsUntil.set(workerId, until);
  }

  /** One that may be given a build now. */
  free(now: number): Builder | null {
    const isFree = ({ workerId }: Builder) =>
      !this.#work.has(workerId) && (this.#restsUntil.get(workerId) ?? 0) <= now;
    return [...this.#here.values()].find(isFree) ?? null;
  }
}

export const isSame = (a: BuildPlacement, b: BuildPlacement): boolean =>
  a.avatarId === b.avatarId && a.epoch === b.epoch;
