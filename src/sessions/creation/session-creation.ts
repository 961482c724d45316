/*
 * Creates a session: slot, room, record, in this order. A failed step undoes the earlier ones.
 * A request that repeats an earlier one, by room or idempotency key, returns that session.
 */
import { hash as digest } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import { newRecordId } from '#shared/ids.ts';
import type { RoomSignal } from '#protocol/room-signals.ts';
import { Fault } from '../../errors.ts';
import type { Lease, SessionFleet } from '../../fleet/fleet.ts';
import type { Transaction } from '../../records/engine/database.ts';
import {
  SessionExists,
  type SessionRecord,
  type SessionRecords,
} from '../../records/sessions/sessions.ts';
import type { BuiltInRoom } from '../../rooms/rooms.ts';
import type { Canary } from '../canary/canary.ts';
import type { LiveSession } from '../live/live-session.ts';
import { requirementsOf } from '../placement/job.ts';
import type { SessionEvents } from '../session-events.ts';
import { roomFor, type RoomMakers, type RoomRequest } from './session-room.ts';
import { freeSlots, reserveSlots, type Slots } from '../placement/slots.ts';

export type OpenSession = RoomRequest & {
  transport: SessionRecord['transport'];
  /** Never an alias. */
  avatarId: string;
  /** Hash of the avatar bundle; null for an avatar that workers include. */
  bundleHash: string | null;
  video: SessionRecord['video'];
  maxLengthMinutes?: number;
  metadata: Record<string, string>;
  /** A session that has the room already may show another avatar: vendors' names are ambiguous. */
  takesAnyAvatar?: boolean;
  idempotencyKey?: string;
  /** The call of a managed agent, whose conversation is a session of its own. */
  callId?: string;
  /** Room signals that the agent may send to the face. */
  signals?: RoomSignal[];
  /** Label of the workers that may perform it; null: the default pool. */
  pool?: string | null;
  /** Maximum number of the account's live sessions; null: no limit. */
  maxLive?: number | null;
  /** Throws when the account may not create a session. Not called for a repeated request. */
  admit?: () => Promise<void>;
  /** Writes in the session's transaction. */
  alongside?: (trx: Transaction, session: SessionRecord, room: GuestRoom | null) => Promise<void>;
};

/** Lets the caller bring an agent and viewers into the created room. */
export type GuestRoom = { url: string; name: string; agentToken: string; viewerToken: string };

export type Opened = {
  session: SessionRecord;
  room?: GuestRoom;
  /** The request repeats an earlier one. */
  repeated: boolean;
};

type SessionCreationParts = RoomMakers & {
  records: SessionRecords;
  fleet: SessionFleet;
  events: SessionEvents;
  clock: Clock;
  /** Wait of a request for a free slot. */
  reserveMs: number;
  canary?: Canary | undefined;
  /** Makes the session live, so that worker reports find it. */
  add: (record: SessionRecord, lease: Lease) => LiveSession;
  /** Undoes `add` and closes the room of a session that could not be saved. */
  remove: (session: SessionRecord) => void;
  /** False: no live session of the account uses this room. True: only the records know. */
  mayBeTaken: (accountId: string, fingerprint: string) => boolean;
};

export class SessionCreation {
  readonly #parts: SessionCreationParts;
  /** Running requests by room and idempotency key. */
  readonly #running = new Map<string, Promise<Opened>>();

  constructor(parts: SessionCreationParts) {
    this.#parts = parts;
  }

  /** Throws `at_capacity` when no slot comes free in time. */
  async open(accountId: string, request: OpenSession): Promise<Opened> {
    const { room, idempotencyKey } = request;
    const fingerprint = room ? fingerprintOf(room) : null;
    const names: string[] = [];
    if (fingerprint) names.push(`${accountId} room ${fingerprint}`);
    if (idempotencyKey) names.push(`${accountId} key ${idempotencyKey}`);

    // No await before the map is set: two equal requests at once would place two faces.
    const earlier = names.map((name) => this.#running.get(name)).find(Boolean);
    if (earlier) return asRepeated(await earlier, request);
    const opening = this.#openOnce(accountId, request, fingerprint);
    for (const name of names) this.#running.set(name, opening);
    try {
      return await opening;
    } finally {
      for (const name of names) this.#running.delete(name);
    }
  }

  /** Resolves when no request is running. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  async #openOnce(
    accountId: string,
    request: OpenSession,
    fingerprint: string | null,
  ): Promise<Opened> {
    const given = [accountId, request, fingerprint] as const;
    const mayBeTaken = fingerprint !== null && this.#parts.mayBeTaken(accountId, fingerprint);
    const earlier = await this.#findEarlier(accountId, request, mayBeTaken ? fingerprint : null);
    if (earlier) return asRepeated({ session: earlier }, request);
    try {
      return await this.#openNew(...given);
    } catch (error) {
      // Another control plane may have created the same session first, with the last slot.
      const first = await this.#findEarlier(...given).catch(() => null);
      if (first) return asRepeated({ session: first }, request);
      // The session that held the record has ended since.
      if (error instanceof SessionExists) return this.#openNew(...given);
      throw error;
    }
  }

  async #openNew(
    accountId: string,
    request: OpenSession,
    fingerprint: string | null,
  ): Promise<Opened> {
    await request.admit?.();
    const id = newRecordId();
    const askedAt = this.#parts.clock.elapsed();
    const { pool = null, speech = null } = request;
    const slots = await reserveSlots(this.#parts, {
      account: accountId,
      requirements: requirementsOf({ ...request, kind: 'avatar', pool, speech }),
      sessionId: id,
      conversationId: request.callId === undefined ? null : newRecordId(),
    });
    const lease = slots.face;
    const waitedMs = this.#parts.clock.elapsed() - askedAt;
    const room = await this.#roomFor(slots, request);
    const made = room.builtIn;

    const session = this.#parts.add(
      {
        id,
        accountId,
        kind: 'avatar',
        transport: request.transport,
        pool,
        avatarId: request.avatarId,
        bundleHash: request.bundleHash,
        roomUrl: room.url,
        roomToken: room.token,
        renewedToken: null,
        speech: room.speech,
        tokenFingerprint: fingerprint ?? fingerprintOf(room),
        builtInRoom: made?.name ?? null,
        status: 'to_start',
        startedAt: null,
        endedAt: null,
        endReason: null,
        endDetail: null,
        epoch: lease.epoch,
        workerId: lease.workerId,
        video: request.video,
        maxLengthMinutes: request.maxLengthMinutes ?? null,
        metadata: request.metadata,
        idempotencyKey: request.idempotencyKey ?? null,
        callId: request.callId ?? null,
        signals: request.signals ?? [],
        createdAt: this.#parts.clock.now(),
      },
      lease,
    );
    const conversation =
      slots.conversation && made
        ? this.#parts.add(
            conversationOf(session.record, slots.conversation, made.agentToken),
            slots.conversation,
          )
        : null;
    const guests = made && guestRoom(made);
    await this.#save(session, conversation, request, guests);
    // After the answer to the caller.
    setImmediate(() => {
      this.#recordCreation(session.record, waitedMs);
      session.begin();
      conversation?.begin();
    });
    return { session: session.record, ...(guests && { room: guests }), repeated: false };
  }

  #recordCreation({ id, callId, createdAt: at }: SessionRecord, waitedMs: number): void {
    const { events } = this.#parts;
    const session = { sessionId: id, callId };
    events.emit('session.timeline', { ...session, entry: { at, kind: 'created' } });
    events.emit('session.timeline', { ...session, entry: { at, kind: 'queued', waitedMs } });
  }

  async #findEarlier(
    accountId: string,
    { idempotencyKey }: OpenSession,
    fingerprint: string | null,
  ): Promise<SessionRecord | null> {
    const { records } = this.#parts;
    const byKey = idempotencyKey
      ? await records.findByIdempotencyKey(accountId, idempotencyKey)
      : null;
    if (byKey || !fingerprint) return byKey;
    return records.findLiveByFingerprint(accountId, fingerprint);
  }

  async #roomFor(slots: Slots, request: OpenSession) {
    try {
      return await roomFor(this.#parts, request);
    } catch (error) {
      await freeSlots(this.#parts.fleet, slots);
      throw error;
    }
  }

  async #save(
    session: LiveSession,
    conversation: LiveSession | null,
    { maxLive = null, alongside }: OpenSession,
    room: GuestRoom | null,
  ): Promise<void> {
    const { record } = session;
    try {
      await session.save({
        maxLive,
        ...(conversation && { partner: conversation.record }),
        ...(alongside && { alongside: (trx) => alongside(trx, record, room) }),
      });
    } catch (error) {
      for (const each of conversation ? [session, conversation] : [session]) {
        this.#parts.remove(each.record);
        await each.abandon();
      }
      throw error;
    }
  }
}

/** Throws a 409 if the session that has the room shows another avatar. */
function asRepeated(
  earlier: Omit<Opened, 'repeated'>,
  { avatarId, room, takesAnyAvatar }: OpenSession,
): Opened {
  const { session } = earlier;
  const isSame = session.avatarId === avatarId || room === undefined;
  if (isSame || takesAnyAvatar) return { ...earlier, repeated: true };
  throw new Fault('conflict', {
    detail:
      'A session with another avatar uses this room token. End that session first, or make a new token.',
    about: { session_id: session.id, avatar_id: session.avatarId },
  });
}

/** The conversation of a call, in the room of its face. */
const conversationOf = (face: SessionRecord, lease: Lease, roomToken: string): SessionRecord => ({
  ...face,
  id: lease.sessionId,
  kind: 'agent',
  roomToken,
  tokenFingerprint: fingerprintOf({ url: face.roomUrl, token: roomToken }),
  builtInRoom: null,
  epoch: lease.epoch,
  workerId: lease.workerId,
  // The agent ends the call itself, after a sentence.
  maxLengthMinutes: null,
  idempotencyKey: null,
  signals: [],
});

const fingerprintOf = ({ url, token }: { url: string; token: string }): string =>
  digest('sha256', `${url}\n${token}`);

const guestRoom = ({ publicUrl, name, agentToken, viewerToken }: BuiltInRoom): GuestRoom => ({
  url: publicUrl,
  name,
  agentToken,
  viewerToken,
});
