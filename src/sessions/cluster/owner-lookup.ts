import type { Clock } from '#shared/clock.ts';
import type { ClusterBus } from '../../cluster/cluster-bus.ts';
import type { SessionOwnership } from '../../cluster/session-ownership.ts';
import type { SessionNotices, SessionRequests } from './messages.ts';
import type { LiveSessions } from '../live/live-sessions.ts';

/** How long an owner is cached: while an agent speaks it is needed several times a second. */
const CACHE_MS = 3_000;

type OwnerLookupParts = {
  live: Pick<LiveSessions, 'has'>;
  bus: Pick<ClusterBus<SessionRequests, SessionNotices>, 'self'>;
  ownership: Pick<SessionOwnership, 'ownerOf'>;
  clock: Clock;
};

export class OwnerLookup {
  readonly #parts: OwnerLookupParts;
  /** Oldest first. */
  readonly #cached = new Map<string, { node: string | null; until: number }>();

  constructor(parts: OwnerLookupParts) {
    this.#parts = parts;
  }

  /** Null: this control plane, or none. */
  async of(sessionId: string): Promise<string | null> {
    const { live, ownership, bus, clock } = this.#parts;
    if (live.has(sessionId)) return null;
    const now = clock.elapsed();
    const cached = this.#cached.get(sessionId);
    if (cached && cached.until > now) return cached.node;
    const owner = await ownership.ownerOf(sessionId);
    const node = owner === bus.self ? null : owner;
    for (const [id, { until }] of this.#cached) {
      if (until > now) break;
      this.#cached.delete(id);
    }
    this.#cached.delete(sessionId);
    this.#cached.set(sessionId, { node, until: now + CACHE_MS });
    return node;
  }

  /** The owner did not answer; another one may take the session over. */
  forget(sessionId: string): void {
    this.#cached.delete(sessionId);
  }
}
