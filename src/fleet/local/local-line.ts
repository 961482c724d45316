import type { Clock } from '#shared/clock.ts';
import { newSecret } from '#shared/ids.ts';
import type { Requirements } from '../fleet.ts';
import { kindOf } from '../placement.ts';
import {
  accountShare,
  AWAY_AFTER_MS,
  FORGOTTEN_AFTER_MS,
  MAX_PLACES_PER_VISITOR,
  type LinePlace,
  type LineRequest,
  type WaitingLine,
} from '../waiting-line.ts';

type Place = {
  needs: readonly Requirements[];
  visitor: string | null;
  /** When its caller last asked. */
  seenAt: number;
};

type LocalLineParts = {
  clock: Clock;
  maxPlaces: number;
  /** Null: no connected worker could ever perform it. */
  freeSlots: (requirements: Requirements) => number | null;
};

/** The line of a single control plane, in memory. */
export class LocalLine implements WaitingLine {
  readonly #parts: LocalLineParts;
  /** By account and ticket, in the order of arrival. */
  readonly #lines = new Map<string, Map<string, Place>>();

  constructor(parts: LocalLineParts) {
    this.#parts = parts;
  }

  async isNext({ account, ticket, needs }: LineRequest): Promise<boolean> {
    const ahead = this.#ahead(account, ticket);
    if (ahead.length === 0) return true;
    const callsFor = this.#counter();
    const callCount = callsFor(needs);
    if (callCount === null) return true;
    if (callCount === 0) return false;
    const rivals = ahead.filter((place) => (callsFor(place.needs) ?? 0) > 0);
    return callCount > rivals.length;
  }

  async join({ account, ticket, visitor, needs }: LineRequest): Promise<LinePlace | null> {
    if (ticket === undefined) return null;
    this.#forget();
    const line = this.#lines.get(account) ?? new Map<string, Place>();
    const isKnown = ticket !== null && line.has(ticket);
    if (!isKnown && !this.#hasRoom(line, { visitor, needs })) return null;
    const ownTicket = isKnown ? ticket : newSecret();
    this.#lines.set(account, line);
    // A key that is set again keeps its place in the map.
    line.set(ownTicket, { needs, visitor, seenAt: this.#parts.clock.elapsed() });
    return { ticket: ownTicket, position: this.#ahead(account, ownTicket).length + 1 };
  }

  async leave(account: string, ticket: string): Promise<void> {
    const line = this.#lines.get(account);
    line?.delete(ticket);
    if (line?.size === 0) this.#lines.delete(account);
  }

  /** Places whose callers still ask. */
  waitingByPool(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const place of this.#places()) {
      if (!this.#isPresent(place)) continue;
      const pool = poolOf(place);
      counts.set(pool, (counts.get(pool) ?? 0) + 1);
    }
    return counts;
  }

  #hasRoom(
    line: ReadonlyMap<string, Place>,
    { visitor, needs }: Pick<Place, 'visitor' | 'needs'>,
  ): boolean {
    const { maxPlaces } = this.#parts;
    const ofVisitor = [...line.values()].filter((each) => each.visitor === visitor);
    const ofPool = [...this.#places()].filter((each) => poolOf(each) === poolOf({ needs }));
    return (
      line.size < accountShare(maxPlaces) &&
      ofPool.length < maxPlaces &&
      (visitor === null || ofVisitor.length < MAX_PLACES_PER_VISITOR)
    );
  }

  /** The places before the ticket's; all without one. */
  #ahead(account: string, ticket: string | null | undefined): Place[] {
    const ahead: Place[] = [];
    for (const [each, place] of this.#lines.get(account) ?? []) {
      if (each === ticket) break;
      if (this.#isPresent(place)) ahead.push(place);
    }
    return ahead;
  }

  #isPresent({ seenAt }: Place): boolean {
    return this.#parts.clock.elapsed() - seenAt < AWAY_AFTER_MS;
  }

  #forget(): void {
    const forgottenAt = this.#parts.clock.elapsed() - FORGOTTEN_AFTER_MS;
    for (const [account, line] of this.#lines) {
      for (const [ticket, { seenAt }] of line) if (seenAt <= forgottenAt) line.delete(ticket);
      if (line.size === 0) this.#lines.delete(account);
    }
  }

  *#places(): Iterable<Place> {
    for (const line of this.#lines.values()) yield* line.values();
  }

  /** Calls that the free slots suffice for. Remembers each kind, for a long line of equal calls. */
  #counter(): (needs: readonly Requirements[]) => number | null {
    const slotsByKind = new Map<string, number | null>();
    const freeSlots = (requirements: Requirements): number | null => {
      const kind = kindOf(requirements);
      if (!slotsByKind.has(kind)) slotsByKind.set(kind, this.#parts.freeSlots(requirements));
      return slotsByKind.get(kind) ?? null;
    };
    return (needs) => {
      const counts = needs.map(freeSlots);
      return counts.includes(null) ? null : Math.min(...counts.map(Number));
    };
  }
}

const poolOf = ({ needs }: Pick<Place, 'needs'>): string => needs[0]?.pool ?? '';
