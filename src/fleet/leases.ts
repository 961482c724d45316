import type { Lease } from './fleet.ts';

/** Slots held by sessions. Each session has one lease, the newest. */
export class Leases {
  readonly #bySession = new Map<string, Lease>();
  /** Number of leases by worker, connected or not. */
  readonly #taken = new Map<string, number>();

  get size(): number {
    return this.#bySession.size;
  }

  all(): Lease[] {
    return [...this.#bySession.values()];
  }

  of(sessionId: string): Lease | undefined {
    return this.#bySession.get(sessionId);
  }

  takenOf(workerId: string): number {
    return this.#taken.get(workerId) ?? 0;
  }

  /**
   * Returns the session's older lease, which it replaces. Throws if the session has a newer one.
   */
  take(lease: Lease): Lease | null {
    const older = this.#bySession.get(lease.sessionId);
    if (older && older.epoch > lease.epoch) throw new Error('a newer lease of this session exists');
    if (older) this.#uncount(older);
    this.#bySession.set(lease.sessionId, lease);
    this.#taken.set(lease.workerId, this.takenOf(lease.workerId) + 1);
    return older ?? null;
  }

  /** Null if it is not the session's newest lease, which stays. */
  free({ sessionId, epoch }: Lease): Lease | null {
    const newest = this.#bySession.get(sessionId);
    if (newest?.epoch !== epoch) return null;
    this.#bySession.delete(sessionId);
    this.#uncount(newest);
    return newest;
  }

  #uncount({ workerId }: Lease): void {
    const takenSlots = this.takenOf(workerId) - 1;
    if (takenSlots > 0) this.#taken.set(workerId, takenSlots);
    else this.#taken.delete(workerId);
  }
}
