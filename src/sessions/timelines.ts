/*
 * Flight records: what happens in the sessions that live here is gathered and written behind, so that no session waits for it. While the
 * records are away it is kept here, up to a limit; what a crash takes with it is lost.
 *
 * Close it before the records, after the sessions.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { isRoutine, type TimelineEntry } from '#shared/timeline.ts';
import type { Timeline, TimelinePart, TimelineRecords } from '../records/timelines.ts';
import type { SessionEvents } from './session-events.ts';

const GATHER_MS = 1_000;
/** Entries of one session. The last hundred are for what there is little of: an end, a move. */
export const MOST_ENTRIES = 1_000;
const MOST_ROUTINE = MOST_ENTRIES - 100;
/** Entries of all sessions that are not written yet. */
const MOST_WAITING = 50_000;
/** Sessions of one write: SQLite writes while requests wait. */
const MOST_PARTS = 20;

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
  /** Those that have something to write. */
  readonly #waiting = new Set<string>();
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
    if (this.#waiting.has(sessionId)) await this.#write();
    const { entries, leftOut } = await this.#parts.records.find(sessionId);
    return { entries, leftOut: leftOut + (this.#sessions.get(sessionId)?.leftOut ?? 0) };
  }

  async close(): Promise<void> {
    for (const stop of this.#stopListening) stop();
    await this.#write();
    this.#cancelTimer?.();
  }

  #note(sessionId: string, entry: TimelineEntry): void {
    const gathered = this.#gathered(sessionId, entry);
    this.#waiting.add(sessionId);
    this.#writeLater();
    const count = (gathered.written ?? 0) + gathered.entries.length;
    const most = isRoutine(entry.kind) ? MOST_ROUTINE : MOST_ENTRIES;
    if (count >= most || this.#entriesWaiting >= MOST_WAITING) {
      gathered.leftOut += 1;
      return;
    }
    gathered.entries.push(entry);
    this.#entriesWaiting += 1;
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
    if (!this.#waiting.has(sessionId)) this.#sessions.delete(sessionId);
  }

  #writeLater(): void {
    this.#cancelTimer ??= this.#parts.clock.after(GATHER_MS, () => {
      this.#cancelTimer = null;
      void this.#write();
    });
  }

  /** One write after another; resolves when all that is here now was tried. */
  #write(): Promise<void> {
    this.#writing = this.#writeAfter(this.#writing);
    return this.#writing;
  }

  async #writeAfter(earlier: Promise<void>): Promise<void> {
    await earlier;
    const due = [...this.#waiting].filter((id) => this.#isDue(id));
    try {
      for (const ids of chunksOf(due, MOST_PARTS)) {
        await this.#writeSome(ids);
        await nextTurn();
      }
    } catch (err) {
      this.#parts.log.error({ err }, 'timelines not written');
      this.#writeLater();
    }
  }

  /** What was left out is counted in the end: else a session that lasts would have a row more each second. */
  #isDue(id: string): boolean {
    const gathered = this.#sessions.get(id);
    return gathered !== undefined && (gathered.entries.length > 0 || gathered.isOver);
  }

  async #writeSome(ids: string[]): Promise<void> {
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
      const gathered = this.#sessions.get(sessionId);
      if (gathered?.isOver && !this.#waiting.has(sessionId)) this.#sessions.delete(sessionId);
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
    this.#waiting.add(sessionId);
  }
}

function chunksOf<Item>(items: Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size));
}
