/*
 * Sessions of several control planes. Each session has one owner: what concerns it is handled here
 * or forwarded there. When a control plane is gone, another one takes its sessions over while their
 * workers continue.
 */
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { ReportedPlacement, Verdict, WorkerReport } from '#protocol/worker/worker-report.ts';
import { Fault } from '../../errors.ts';
import type { Placement } from '../../fleet/fleet.ts';
import type { EndedBy } from '../../records/audit/audit-log.ts';
import type { SessionOwnership } from '../../cluster/session-ownership.ts';
import { NodeGone, type ClusterBus } from '../../cluster/cluster-bus.ts';
import type { OwnedSession, SessionNotices, SessionRequests } from './messages.ts';
import type { EndedSession, Sessions } from '../sessions.ts';
import { OwnerLookup } from './owner-lookup.ts';

type SessionRouterParts = {
  sessions: Sessions;
  bus: ClusterBus<SessionRequests, SessionNotices>;
  ownership: SessionOwnership;
  clock: Clock;
  log: Log;
};

const RETRY_AFTER_SECONDS = 5;

/** Reports whose sender waits for the verdict. All others are forwarded without an answer. */
const ANSWERED: ReadonlySet<WorkerReport['type']> = new Set(['started', 'ended', 'claimed']);

const beingTakenOver = () =>
  new Fault('at_capacity', {
    detail: 'The session is being taken over. Please try again shortly.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

/** Concerns sessions owned here, or the records, which all control planes share. */
type Local = Pick<Sessions, 'has' | 'open' | 'find' | 'page' | 'adopt' | 'lost' | 'endHere'>;

export class SessionRouter implements Local {
  readonly #parts: SessionRouterParts;
  readonly #owners: OwnerLookup;
  readonly has: Local['has'];
  readonly open: Local['open'];
  readonly find: Local['find'];
  readonly page: Local['page'];
  readonly adopt: Local['adopt'];
  readonly lost: Local['lost'];
  readonly endHere: Local['endHere'];

  constructor(parts: SessionRouterParts) {
    this.#parts = parts;
    this.#owners = new OwnerLookup(parts);
    const { sessions } = parts;
    this.has = (...given) => sessions.has(...given);
    this.open = (...given) => sessions.open(...given);
    this.find = (...given) => sessions.find(...given);
    this.page = (...given) => sessions.page(...given);
    this.adopt = (...given) => sessions.adopt(...given);
    this.lost = (...given) => sessions.lost(...given);
    this.endHere = (...given) => sessions.endHere(...given);
    this.#listen();
  }

  async handle(placement: ReportedPlacement, report: WorkerReport): Promise<Verdict> {
    const { sessions, bus } = this.#parts;
    const { sessionId } = placement;
    const owner = await this.#owners.of(sessionId);
    if (owner === null) return sessions.handle(placement, report);
    try {
      const forwarded = { placement, report };
      if (ANSWERED.has(report.type)) return await bus.request(owner, 'report', forwarded);
      await bus.publish(owner, 'report', forwarded);
      return 'recorded';
    } catch (error) {
      this.#owners.forget(sessionId);
      throw error;
    }
  }

  workerCame(workerId: string, performing: Placement[]): void {
    const { sessions, bus } = this.#parts;
    sessions.workerCame(workerId, performing);
    this.#toAll(bus.publish(null, 'worker_came', { workerId, performing }));
  }

  workerLeaves(workerId: string): void {
    const { sessions, bus } = this.#parts;
    sessions.workerLeaves(workerId);
    this.#toAll(bus.publish(null, 'worker_leaves', { workerId }));
  }

  moveAway(workerId: string, sessionIds: string[]): void {
    const { sessions, bus } = this.#parts;
    sessions.moveAway(workerId, sessionIds);
    this.#toAll(bus.publish(null, 'move_away', { workerId, sessionIds }));
  }

  workerLost(workerId: string, isSilent = false): void {
    const { sessions, bus } = this.#parts;
    sessions.workerLost(workerId, isSilent);
    this.#toAll(bus.publish(null, 'worker_lost', { workerId, isSilent }));
  }

  /** As `Sessions.end`, at the owner. */
  async end(accountId: string, id: string, by?: EndedBy): Promise<EndedSession | null> {
    const { sessions, bus } = this.#parts;
    const before = await sessions.find(accountId, id);
    if (!before) return null;
    if (before.status === 'completed') return { before, after: before };
    const owner = await this.#owners.of(id);
    try {
      if (owner === null) await sessions.end(accountId, id, by);
      else await bus.request(owner, 'end', { sessionId: id, by });
    } catch (error) {
      this.#owners.forget(id);
      if (!(error instanceof NodeGone)) throw error;
      throw beingTakenOver();
    }
    const after = await sessions.find(accountId, id);
    if (after?.status === 'completed') return { before, after };
    // The owner no longer has the session, and no other control plane has taken it over yet.
    this.#owners.forget(id);
    throw beingTakenOver();
  }

  /** The records have already completed the session. */
  async endAnywhere(sessionId: string, reason: EndReason, at: number): Promise<void> {
    const { sessions, bus } = this.#parts;
    const owner = await this.#owners.of(sessionId);
    if (owner === null) return sessions.endHere(sessionId, reason, { at });
    await bus.publish(owner, 'linked_ended', { sessionId, reason, at });
  }

  /** Live sessions of all control planes. */
  async places(): Promise<OwnedSession[]> {
    const { sessions, bus } = this.#parts;
    const others = (await bus.living()).filter((node) => node !== bus.self);
    const theirs = await Promise.all(others.map((node) => bus.request(node, 'places', null)));
    return [...sessions.places(), ...theirs.flat()];
  }

  #listen(): void {
    const { sessions, bus } = this.#parts;
    bus.onRequest('report', ({ placement, report }) => sessions.handle(placement, report));
    bus.onRequest('places', () => sessions.places());
    bus.onRequest('end', async ({ sessionId, by }) => {
      await sessions.endHere(sessionId, 'ended_by_client', { by });
      return null;
    });
    bus.onNotice('report', ({ placement, report }) =>
      this.#inBackground(sessions.handle(placement, report), 'forwarded report not recorded'),
    );
    bus.onNotice('linked_ended', ({ sessionId, reason, at }) =>
      this.#inBackground(sessions.endHere(sessionId, reason, { at }), 'linked session not ended'),
    );
    bus.onNotice('worker_came', ({ workerId, performing }) =>
      sessions.workerCame(workerId, performing),
    );
    bus.onNotice('worker_leaves', ({ workerId }) => sessions.workerLeaves(workerId));
    bus.onNotice('move_away', ({ workerId, sessionIds }) =>
      sessions.moveAway(workerId, sessionIds),
    );
    bus.onNotice('worker_lost', ({ workerId, isSilent }) =>
      sessions.workerLost(workerId, isSilent),
    );
    bus.onNotice('node_gone', () => sessions.lookForWorkers());
    bus.onGone(async (node) => {
      this.#toAll(bus.publish(null, 'node_gone', { node }));
      sessions.lookForWorkers();
      await sessions.takeOver(node);
    });
    bus.onForgotten(() => sessions.lookForWorkers());
  }

  /** A control plane that misses the notice repairs the difference by its reconciler. */
  #toAll(publishing: Promise<void>): void {
    this.#inBackground(publishing, 'worker notice not published');
  }

  #inBackground(work: Promise<unknown>, failure: string): void {
    work.catch((error: unknown) => this.#parts.log.warn({ err: error }, failure));
  }
}
