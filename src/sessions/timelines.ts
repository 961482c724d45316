/*
 * Flight records: what happens in the sessions that live here is gathered and written behind, so that no session waits for it. While the
 * records are away it is kept here, up to a limit; what a crash takes with it is lost.
 *
 * Close it before the records, after the sessions.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { isRoutine, type TimelineEntry } from '#protocol/timeline.ts';
import type { Timeline, TimelinePart, TimelineRecords } from '../records/sessions/timelines.ts';
import type { SessionEvents } from './session-events.ts';

/** How long an entry waits for more of its session: a row for each would cost as much as the session itself. */
export const GATHER_MS = 3_000;
/**
 * Requests wait while SQLite writes: so often a share of what waits is written, and not all at once. All of them together take two thirds of the
 * time that it was gathered in, so that what a burst has left is written among other requests and still sooner than more can come.
 */
const PACE_MS = 20;
const LEAST_SHARE = 10;
const SHARES = 100;
/** Entries of one session. The last hundred are for what there is little of: an end, a move. */
export const MOST_ENTRIES = 1_000;
const MOST_ROUTINE = MOST_ENTRIES - 100;
/** Entries of all sessions that are not written yet. */
const MOST_WAITING = 50_000;
/** Sessions of one write at the end. */
const MOST_PARTS = 200;

export type TimelinesParts = {
  events: SessionEvents;
  records: TimelineRecords;
  clock: Clock;
  log: Pick<Log, 'error'>;
};

type Gathered = {
  entries: TimelineEntry[];
  leftOut: number;
  /** Entries that are written; null: another control plane, or this one before it was started again, may have written some. */
  written: number | null;
  isOver: boolean;
};

export class Timelines {
  readonly #parts: TimelinesParts;
  /** Of every live session, and of those that are over and not written. */
  readonly #sessions = new Map<string, Gathered>();
  /** Since when each has something to write, the oldest first. */
  readonly #waiting = new Map<string, number>();
  #entriesWaiting = 0;
  #writing: Promise<void> = Promise.resolve();
  #cancelTimer: (() => void) | null = null;
  readonly #stopListening: (() => void)[];

  constructor(parts: TimelinesParts) {
    this.#parts = parts;
    this.#stopListening = [
      parts.events.on('session.noted', ({ sessionId, entry }) => this.#note(sessionId, entry)),
      parts.events.on('session.ended', ({ session }) => this.#over(session.id)),
    ];
  }

  /** What was written, and what happened here just now. */
  async of(sessionId: string): Promise<Timeline> {
    await this.#write([sessionId]);
    const { entries, leftOut } = await this.#parts.records.find(sessionId);
    return { entries, leftOut: leftOut + (this.#sessions.get(sessionId)?.leftOut ?? 0) };
  }

  async close(): Promise<void> {
    for (const stop of this.#stopListening) stop();
    for (const ids of chunksOf([...this.#waiting.keys()], MOST_PARTS)) await this.#write(ids);
    await this.#writing;
    this.#cancelTimer?.();
  }

  #note(sessionId: string, entry: TimelineEntry): void {
    const gathered = this.#gathered(sessionId, entry);
    const count = (gathered.written ?? 0) + gathered.entries.length;
    const most = isRoutine(entry.kind) ? MOST_ROUTINE : MOST_ENTRIES;
    if (count >= most || this.#entriesWaiting >= MOST_WAITING) {
      // Counted in the records when the session is over: else one that lasts would have a row more every few seconds.
      gathered.leftOut += 1;
      return;
    }
    gathered.entries.push(entry);
    this.#entriesWaiting += 1;
    this.#await(sessionId);
  }

  #gathered(sessionId: string, { kind }: TimelineEntry): Gathered {
    const known = this.#sessions.get(sessionId);
    if (known) return known;
    const written = kind === 'created' ? 0 : null;
    const gathered = { entries: [], leftOut: 0, written, isOver: false };
    this.#sessions.set(sessionId, gathered);
    return gathered;
  }

  #over(sessionId: string): void {
    const gathered = this.#sessions.get(sessionId);
    if (!gathered) return;
    gathered.isOver = true;
    if (gathered.leftOut > 0) this.#await(sessionId);
    else this.#forget(sessionId);
  }

  /** Once it is over and written. */
  #forget(sessionId: string): void {
    const isOver = this.#sessions.get(sessionId)?.isOver;
    if (isOver && !this.#waiting.has(sessionId)) this.#sessions.delete(sessionId);
  }

  #await(sessionId: string): void {
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

  /** Those that have waited longest of what is due. */
  #share(): string[] {
    const most = Math.max(LEAST_SHARE, Math.ceil(this.#waiting.size / SHARES));
    const until = this.#parts.clock.elapsed() - GATHER_MS;
    const ids: string[] = [];
    for (const [id, since] of this.#waiting) {
      if (since > until || ids.length === most) break;
      ids.push(id);
    }
    return ids;
  }

  /** One write after another; resolves when it was tried. */
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
    await this.#learnWritten(ids);
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

  /** Before the first write of a session that has lived elsewhere. */
  async #learnWritten(ids: string[]): Promise<void> {
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
    this.#await(sessionId);
  }
}

function chunksOf<Item>(items: Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size));
}
