/*
 * Rooms without media: their participants, as a media server sees them. A participant displaces an
 * earlier one with the same identity.
 */
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Assign } from '#protocol/worker/gateway-messages.ts';
import type { Performance } from '../../workers/runtime/performance.ts';

export class Rooms {
  readonly #seats = new Map<string, Act>();
  /** The worker of each placement. */
  readonly #takers = new Map<string, string>();
  readonly acts = new Set<Act>();
  /** Violations. */
  readonly problems: string[] = [];
  /** Sessions whose agent has left. */
  readonly leftSessions = new Set<string>();

  perform(assign: Assign, worker: string, joinMs: number): Act {
    const { sessionId, epoch } = assign.placement;
    const name = `${sessionId} ${epoch}`;
    const taker = this.#takers.get(name);
    if (taker !== undefined && taker !== worker)
      this.problems.push(`epoch ${epoch} of ${sessionId} was given to both ${taker} and ${worker}`);
    this.#takers.set(name, worker);
    const act = new Act(this, assign, worker, joinMs);
    this.acts.add(act);
    return act;
  }

  enter(act: Act): void {
    const displaced = this.#seats.get(act.sessionId);
    this.#seats.set(act.sessionId, act);
    displaced?.end('replaced');
  }

  leave(act: Act): void {
    this.acts.delete(act);
    if (this.#seats.get(act.sessionId) === act) this.#seats.delete(act.sessionId);
  }

  /** Removes a dead process without a report. */
  vanish(worker: string): void {
    for (const act of this.acts) if (act.worker === worker) act.vanish();
  }

  /** Participants by session. */
  get seated(): ReadonlyMap<string, Act> {
    return this.#seats;
  }

  agentLeaves(sessionId: string): void {
    this.leftSessions.add(sessionId);
    this.#seats.get(sessionId)?.end('agent_left');
  }
}

/** A simulated performance of one session. */
class Act implements Performance {
  readonly worker: string;
  readonly sessionId: string;
  readonly epoch: number;
  readonly #rooms: Rooms;
  readonly #started = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<EndReason>();
  readonly #joining: NodeJS.Timeout;
  #isOver = false;
  #isSeated = false;

  constructor(rooms: Rooms, { placement }: Assign, worker: string, joinMs: number) {
    this.worker = worker;
    this.sessionId = placement.sessionId;
    this.epoch = placement.epoch;
    this.#rooms = rooms;
    this.#joining = setTimeout(() => this.#join(), joinMs);
  }

  get started(): Promise<void> {
    return this.#started.promise;
  }

  get ended(): Promise<EndReason> {
    return this.#ended.promise;
  }

  async release(): Promise<boolean> {
    return this.#isSeated && !this.#isOver;
  }

  end(reason: EndReason): void {
    if (this.#isOver) return;
    this.vanish();
    this.#ended.resolve(reason);
  }

  drop(): void {
    this.end('replaced');
  }

  async close(): Promise<void> {
    this.vanish();
  }

  vanish(): void {
    this.#isOver = true;
    clearTimeout(this.#joining);
    this.#rooms.leave(this);
  }

  #join(): void {
    // The agent may have left before this worker joins.
    if (this.#rooms.leftSessions.has(this.sessionId)) return this.end('agent_left');
    this.#isSeated = true;
    this.#rooms.enter(this);
    this.#started.resolve();
  }
}
