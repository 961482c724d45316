/*
 * Timelines of live sessions. Entries are gathered and written later, so that no session waits for
 * a write. They are kept in memory, up to a limit, while the database is unavailable; a crash loses
 * them.
 *
 * Close it after the sessions and before the records.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { isRoutine, type TimelineEntry } from '#protocol/timeline.ts';
import type { Timeline, TimelinePart, TimelineRecords } from '../records/sessions/timelines.ts';
import type { SessionEvents } from './session-events.ts';

/**
 * Entries of one session are gathered into one row: a row each would cost as much as the session.
 */
export const GATHER_MS = 3_000;
/**
 * Requests wait while SQLite writes, so each write takes only a share of the waiting sessions. All
 * shares take two thirds of `GATHER_MS`, so that a burst is written before the next one is due.
 */
const PACE_MS = 20;
const MIN_SHARE = 10;
const SHARES = 100;
/**
 * Entries of one session. The last hundred are reserved for rare kinds, such as an end or a move.
 */
export const MOST_ENTRIES = 1_000;
const MAX_ROUTINE = MOST_ENTRIES - 100;
/** Unwritten entries of all sessions. */
const MAX_WAITING = 50_000;
/** Sessions in one write during close. */
const MAX_PARTS = 200;

type TimelinesParts = {
  events: SessionEvents;
  records: TimelineRecords;
  clock: Clock;
  log: Pick<Log, 'error'>;
};

type Gathered = {
  entries: TimelineEntry[];
  leftOut: number;
  /** Number of written entries. Null: unknown, after a recovery. */
  written: number | null;
  isEnded: boolean;
};

export class Timelines {
  readonly #parts: TimelinesParts;
  /** Live sessions, and ended ones with unwritten entries. */
  readonly #sessions = new Map<string, Gathered>();
  /** Start of each session's wait for a write, oldest first. */
  readonly #waiting = new Map<string, number>();
  #entriesWaiting = 0;
  #writing: Promise<void> = Promise.resolve();
  #cancelTimer: (() => void) | null = null;
  readonly #stopListening: (() => void)[];

  constructor(parts: TimelinesParts) {
    this.#parts = parts;
    this.#stopListening = [
      parts.events.on('session.timeline', ({ sessionId, entry }) => this.#add(sessionId, entry)),
      parts.events.on('session.ended', ({ session }) => this.#end(session.id)),
    ];
  }

  /** Writes the session's waiting entries first. */
  async of(sessionId: string): Promise<Timeline> {
    await this.#write([sessionId]);
    const { entries, leftOut } = await this.#parts.records.find(sessionId);
    return { entries, leftOut: leftOut + (this.#sessions.get(sessionId)?.leftOut ?? 0) };
  }

  async close(): Promise<void> {
    for (const stop of this.#stopListening) stop();
    for (const ids of chunksOf([...this.#waiting.keys()], MAX_PARTS)) await this.#write(ids);
    await this.#writing;
    this.#cancelTimer?.();
  }

  #add(sessionId: string, entry: TimelineEntry): void {
    const gathered = this.#gathered(sessionId, entry);
    const count = (gathered.written ?? 0) + gathered.entries.length;
    const most = isRoutine(entry.kind) ? MAX_ROUTINE : MOST_ENTRIES;
    if (count >= most || this.#entriesWaiting >= MAX_WAITING) {
      // Written at the end of the session: otherwise a long one would add a row every few seconds.
      gathered.leftOut += 1;
      return;
    }
    gathered.entries.push(entry);
    this.#entriesWaiting += 1;
    this.#queue(sessionId);
  }

  #gathered(sessionId: string, { kind }: TimelineEntry): Gathered {
    const existing = this.#sessions.get(sessionId);
    if (existing) return existing;
    const written = kind === 'created' ? 0 : null;
    const gathered = { entries: [], leftOut: 0, written, isEnded: false };
    this.#sessions.set(sessionId, gathered);
    return gathered;
  }

  #end(sessionId: string): void {
    const gathered = this.#sessions.get(sessionId);
    if (!gathered) return;
    gathered.isEnded = true;
    if (gathered.leftOut > 0) this.#queue(sessionId);
    else this.#forget(sessionId);
  }

  /** Only when the session has ended and is written. */
  #forget(sessionId: string): void {
    const isEnded = this.#sessions.get(sessionId)?.isEnded;
    if (isEnded && !this.#waiting.has(sessionId)) this.#sessions.delete(sessionId);
  }

  #queue(sessionId: string): void {
    if (!this.#waiting.has(sessionId)) this.#waiting.set(sessionId, this.#parts.clock.elapsed());
    this.#writeLater();
  }

  #writeLater(): void {
    const [oldest] = this.#waiting.values();
    if (oldest === undefined || this.#cancelTimer) return;
    const { clock } = this.#parts;
    const inMs = Math.max(PACE_MS, oldest + GATHER_MS - clock.elapsed());
    this.#cancelTimer = clock.after(inMs, () => {
      this.#cancelTimer = null;
      void this.#write(this.#share()).then(() => this.#writeLater());
    });
  }

  /** The due sessions that have waited longest. */
  #share(): string[] {
    const most = Math.max(MIN_SHARE, Math.ceil(this.#waiting.size / SHARES));
    const until = this.#parts.clock.elapsed() - GATHER_MS;
    const ids: string[] = [];
    for (const [id, since] of this.#waiting) {
      if (since > until || ids.length === most) break;
      ids.push(id);
    }
    return ids;
  }

  /** Writes run one after another. Resolves after the attempt, also a failed one. */
  #write(ids: string[]): Promise<void> {
    this.#writing = this.#writeAfter(this.#writing, ids);
    return this.#writing;
  }

  async #writeAfter(earlier: Promise<void>, ids: string[]): Promise<void> {
    await earlier;
    const waiting = ids.filter((id) => this.#waiting.has(id));
    if (waiting.length === 0) return;
    try {
      await this.#writeNow(waiting);
    } catch (err) {
      this.#parts.log.error({ err }, 'timelines not written');
      this.#writeLater();
    }
  }

  async #writeNow(ids: string[]): Promise<void> {
    await this.#loadWritten(ids);
    const parts = ids.map((id) => this.#take(id));
    try {
      await this.#parts.records.add(parts);
    } catch (error) {
      for (const part of parts) this.#putBack(part);
      throw error;
    }
    for (const { sessionId, entries } of parts) {
      this.#entriesWaiting -= entries.length;
      this.#forget(sessionId);
    }
  }

  /** For recovered sessions, before their first write. */
  async #loadWritten(ids: string[]): Promise<void> {
    const unknown = ids.filter((id) => this.#sessions.get(id)?.written === null);
    if (unknown.length === 0) return;
    const written = await this.#parts.records.count(unknown);
    for (const id of unknown) this.#sessions.get(id)!.written = written.get(id) ?? 0;
  }

  #take(sessionId: string): TimelinePart {
    const gathered = this.#sessions.get(sessionId)!;
    const { entries, leftOut } = gathered;
    gathered.entries = [];
    gathered.leftOut = 0;
    gathered.written = (gathered.written ?? 0) + entries.length;
    this.#waiting.delete(sessionId);
    return { sessionId, entries, leftOut };
  }

  #putBack({ sessionId, entries, leftOut }: TimelinePart): void {
    const gathered = this.#sessions.get(sessionId)!;
    gathered.entries = [...entries, ...gathered.entries];
    gathered.leftOut += leftOut;
    gathered.written = (gathered.written ?? 0) - entries.length;
    this.#queue(sessionId);
  }
}

function chunksOf<Item>(items: Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size));
}
