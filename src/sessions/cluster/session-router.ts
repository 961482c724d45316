/*
 * The sessions of several control planes, as one of them sees them. Each session lives at one, which is asked or told what is said of it
 * elsewhere: by its worker, whose socket may be at any of them, or by a caller.
 *
 * When a control plane is gone, one of the others takes its sessions up: their workers go on meanwhile.
 */
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import { Fault } from '../../errors.ts';
import type { Placement } from '../../fleet/fleet.ts';
import type { SessionOwnership } from '../../cluster/session-ownership.ts';
import { NodeGone, type ClusterBus } from '../../cluster/cluster-bus.ts';
import type { OwnedSession, SessionNotices, SessionRequests } from './messages.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';
import type { Verdict } from '../live-session.ts';
import type { AgedTimelineEvent } from '../session-notifier.ts';
import type { Sessions } from '../sessions.ts';

export type SessionRouterParts = {
  sessions: Sessions;
  bus: ClusterBus<SessionRequests, SessionNotices>;
  ownership: SessionOwnership;
  clock: Clock;
  log: Log;
};

/** How long it is known where a session lives: several times a second somebody wants to know while its agent speaks. */
const KNOWN_MS = 3_000;
const RETRY_AFTER_SECONDS = 5;

const beingTakenOver = () =>
  new Fault('at_capacity', {
    detail: 'The session is being taken over. Please try again shortly.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

/** What is here and nowhere else; the records, too, are everybody's. */
type Here = Pick<Sessions, 'has' | 'open' | 'find' | 'page' | 'adopt' | 'lost' | 'endHere'>;

export class SessionRouter implements Here {
  readonly #parts: SessionRouterParts;
  readonly has: Here['has'];
  readonly open: Here['open'];
  readonly find: Here['find'];
  readonly page: Here['page'];
  readonly adopt: Here['adopt'];
  readonly lost: Here['lost'];
  readonly endHere: Here['endHere'];
  /** Oldest first. */
  readonly #known = new Map<string, { node: string | null; until: number }>();

  constructor(parts: SessionRouterParts) {
    this.#parts = parts;
    const { sessions, bus } = parts;
    this.has = (...given) => sessions.has(...given);
    this.open = (...given) => sessions.open(...given);
    this.find = (...given) => sessions.find(...given);
    this.page = (...given) => sessions.page(...given);
    this.adopt = (...given) => sessions.adopt(...given);
    this.lost = (...given) => sessions.lost(...given);
    this.endHere = (...given) => sessions.endHere(...given);
    bus.onRequest('started', ({ placement, agoMs }) => sessions.started(placement, agoMs));
    bus.onRequest('ended', ({ placement, agoMs, reason }) =>
      sessions.ended(placement, agoMs, reason),
    );
    bus.onRequest('claim', ({ placement, workerId }) => sessions.claim(placement, workerId));
    bus.onRequest('places', () => sessions.places());
    bus.onRequest('end', async ({ sessionId }) => {
      await sessions.endHere(sessionId, 'ended_by_client');
      return null;
    });
    bus.onNotice('spoke', ({ placement, open }) => sessions.spoke(placement, open));
    bus.onNotice('noted', ({ placement, happenings }) => sessions.noted(placement, happenings));
    bus.onNotice('released', ({ placement }) => sessions.released(placement));
    bus.onNotice('gave_up', ({ placement, workerId }) => sessions.gaveUp(placement, workerId));
    bus.onNotice('renewed', ({ placement, token }) =>
      this.#inBackground(sessions.renewed(placement, token), 'renewed token not recorded'),
    );
    bus.onNotice('half_over', ({ sessionId, reason, at }) =>
      this.#inBackground(sessions.endHere(sessionId, reason, at), 'half of a call not ended'),
    );
    bus.onNotice('worker_came', ({ workerId, performing }) =>
      sessions.workerPerforms(workerId, performing),
    );
    bus.onNotice('worker_leaves', ({ workerId }) => sessions.workerLeaves(workerId));
    bus.onNotice('worker_lost', ({ workerId, isSilent }) =>
      sessions.workerLost(workerId, isSilent),
    );
    bus.onNotice('node_gone', () => sessions.lookForWorkers());
    bus.onGone(async (node) => {
      this.#tellAll(bus.publish(null, 'node_gone', { node }));
      sessions.lookForWorkers();
      await sessions.takeOver(node);
    });
    bus.onForgotten(() => sessions.lookForWorkers());
  }

  started(placement: Placement, agoMs: number): Promise<Verdict> {
    const { sessions, bus } = this.#parts;
    return this.#at(
      placement,
      () => sessions.started(placement, agoMs),
      (node) => bus.request(node, 'started', { placement, agoMs }),
    );
  }

  ended(placement: Placement, agoMs: number, reason: EndReason): Promise<Verdict> {
    const { sessions, bus } = this.#parts;
    return this.#at(
      placement,
      () => sessions.ended(placement, agoMs, reason),
      (node) => bus.request(node, 'ended', { placement, agoMs, reason }),
    );
  }

  renewed(placement: Placement, token: string): Promise<void> {
    const { sessions, bus } = this.#parts;
    return this.#at(
      placement,
      () => sessions.renewed(placement, token),
      (node) => bus.publish(node, 'renewed', { placement, token }),
    );
  }

  spoke(placement: Placement, open: number[]): void {
    const { sessions, bus } = this.#parts;
    const told = this.#at(
      placement,
      async () => sessions.spoke(placement, open),
      (node) => bus.publish(node, 'spoke', { placement, open }),
    );
    this.#inBackground(told, 'position not told');
  }

  noted(placement: Placement, happenings: AgedTimelineEvent[]): void {
    const { sessions, bus } = this.#parts;
    const told = this.#at(
      placement,
      async () => sessions.noted(placement, happenings),
      (node) => bus.publish(node, 'noted', { placement, happenings }),
    );
    this.#inBackground(told, 'happenings not told');
  }

  released(placement: Placement): void {
    const { sessions, bus } = this.#parts;
    const told = this.#at(
      placement,
      async () => sessions.released(placement),
      (node) => bus.publish(node, 'released', { placement }),
    );
    this.#inBackground(told, 'release not told');
  }

  gaveUp(placement: Placement, workerId: string): void {
    const { sessions, bus } = this.#parts;
    const told = this.#at(
      placement,
      async () => sessions.gaveUp(placement, workerId),
      (node) => bus.publish(node, 'gave_up', { placement, workerId }),
    );
    this.#inBackground(told, 'refusal not told');
  }

  /** As of `Sessions`. What its own control plane does not answer for is kept: whoever takes the session up sees who performs it. */
  async workerCame(workerId: string, performing: Placement[]): Promise<Placement[]> {
    const { sessions, bus, log } = this.#parts;
    sessions.workerPerforms(workerId, performing);
    this.#tellAll(bus.publish(null, 'worker_came', { workerId, performing }));
    const claims = performing.map((placement) =>
      this.#at(
        placement,
        () => sessions.claimOrAdopt(placement, workerId),
        (node) => bus.request(node, 'claim', { placement, workerId }),
      ).catch((error: unknown) => {
        log.warn({ ...placement, workerId, err: error }, 'nobody answers for a session');
        return true;
      }),
    );
    const kept = await Promise.all(claims);
    return performing.filter((_, i) => !kept[i]);
  }

  workerLeaves(workerId: string): void {
    this.#parts.sessions.workerLeaves(workerId);
    this.#tellAll(this.#parts.bus.publish(null, 'worker_leaves', { workerId }));
  }

  workerLost(workerId: string, isSilent = false): void {
    this.#parts.sessions.workerLost(workerId, isSilent);
    this.#tellAll(this.#parts.bus.publish(null, 'worker_lost', { workerId, isSilent }));
  }

  /** As of `Sessions`, wherever it lives. */
  async end(accountId: string, id: string): Promise<SessionRecord | null> {
    const { sessions, bus } = this.#parts;
    const session = await sessions.find(accountId, id);
    if (!session || session.status === 'completed') return session;
    const node = await this.#homeOf(id);
    try {
      if (node === null) await sessions.end(accountId, id);
      else await bus.request(node, 'end', { sessionId: id });
    } catch (error) {
      this.#known.delete(id);
      if (!(error instanceof NodeGone)) throw error;
      throw beingTakenOver();
    }
    const ended = await sessions.find(accountId, id);
    if (ended?.status === 'completed') return ended;
    // It is not where it was, and whoever takes it up has not done so.
    this.#known.delete(id);
    throw beingTakenOver();
  }

  /** As of `Sessions`, wherever it lives: the records say already that it is over. */
  async endAnywhere(sessionId: string, reason: EndReason, at: number): Promise<void> {
    const { sessions, bus } = this.#parts;
    const node = await this.#homeOf(sessionId);
    if (node === null) return sessions.endHere(sessionId, reason, at);
    await bus.publish(node, 'half_over', { sessionId, reason, at });
  }

  /** Of all control planes. */
  async places(): Promise<OwnedSession[]> {
    const { sessions, bus } = this.#parts;
    const others = (await bus.living()).filter((node) => node !== bus.self);
    const theirs = await Promise.all(others.map((node) => bus.request(node, 'places', null)));
    return [...sessions.places(), ...theirs.flat()];
  }

  /** Where the session lives: here, which is also where nothing is known of it, or there. */
  async #at<Result>(
    { sessionId }: Placement,
    here: () => Promise<Result>,
    there: (node: string) => Promise<Result>,
  ): Promise<Result> {
    const node = await this.#homeOf(sessionId);
    if (node === null) return here();
    try {
      return await there(node);
    } catch (error) {
      this.#known.delete(sessionId);
      throw error;
    }
  }

  /** Null: here, or nowhere. */
  async #homeOf(sessionId: string): Promise<string | null> {
    const { sessions, ownership, bus, clock } = this.#parts;
    if (sessions.has(sessionId)) return null;
    const now = clock.elapsed();
    const known = this.#known.get(sessionId);
    if (known && known.until > now) return known.node;
    const home = await ownership.of(sessionId);
    const node = home === bus.self ? null : home;
    for (const [id, { until }] of this.#known) {
      if (until > now) break;
      this.#known.delete(id);
    }
    this.#known.delete(sessionId);
    this.#known.set(sessionId, { node, until: now + KNOWN_MS });
    return node;
  }

  /** Those who do not hear it see it in the next audit. */
  #tellAll(telling: Promise<void>): void {
    this.#inBackground(telling, 'others not told of a worker');
  }

  #inBackground(work: Promise<unknown>, sentence: string): void {
    work.catch((error: unknown) => this.#parts.log.warn({ err: error }, sentence));
  }
}
