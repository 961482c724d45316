/*
 * From a request to a session: its slot, its room, its record, in this order. What a later step cannot do is undone by the earlier ones. A
 * request that says the same as an earlier one, by its room or its idempotency key, meets that session.
 */
import { hash as digest } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import { newRecordId } from '#shared/ids.ts';
import type { RoomSignal } from '#protocol/room-signals.ts';
import type { Fleet, Lease } from '../fleet/fleet.ts';
import type { Transaction } from '../records/engine/database.ts';
import {
  SessionExists,
  type SessionRecord,
  type SessionRecords,
} from '../records/sessions/sessions.ts';
import type { BuiltInRoom, NewRoom, Rooms } from '../rooms/rooms.ts';
import type { LiveSession } from './live-session.ts';
import { requirementsOf } from './placement/job.ts';
import type { SessionEvents } from './session-events.ts';
import { freeSlots, reserveSlots, type Slots } from './placement/slots.ts';

export type OpenSession = {
  transport: 'mediaserver';
  /** An avatar's own id, no alias. */
  avatarId: string;
  /** The blob that workers open for it; null for a face that they have. */
  bundleHash: string | null;
  /** The caller's room, checked; else a fresh one is made. */
  room?: { url: string; token: string };
  /** Who meets in the fresh room, and what is said of it. */
  newRoom?: NewRoom;
  video: SessionRecord['video'];
  maxLengthMinutes?: number;
  metadata: Record<string, string>;
  idempotencyKey?: string;
  /** The call whose face this is: its agent is ours too, in a session of its own. */
  callId?: string;
  /** What the agent may tell the face in the room. */
  signals?: RoomSignal[];
  /** The label of the workers that may perform it; null: the usual one. */
  pool?: string | null;
  /** How many sessions the account may have that are not completed; null: any number. */
  maxLive?: number | null;
  /** Throws what stands in the way of a new session, before a slot is taken for it. Not asked when the session is there already. */
  admit?: () => Promise<void>;
  /** Writes what must be there with the session, or not at all. */
  alongside?: (trx: Transaction, session: SessionRecord, room: GuestRoom | null) => Promise<void>;
};

/** What the caller needs to bring an agent and viewers into the room made for the session. */
export type GuestRoom = { url: string; name: string; agentToken: string; viewerToken: string };

export type Opened = {
  session: SessionRecord;
  room?: GuestRoom;
  /** The session was there already: this request said the same as an earlier one. */
  repeated: boolean;
};

export type SessionCreationParts = {
  records: SessionRecords;
  fleet: Fleet;
  rooms: Rooms;
  events: SessionEvents;
  clock: Clock;
  /** How long a request waits for a free slot. */
  reserveMs: number;
  /** Makes the session known; what a worker says about it finds it from now on. */
  add: (record: SessionRecord, lease: Lease) => LiveSession;
  /** It could not be saved: undoes `add`, and closes its room. */
  remove: (session: SessionRecord) => void;
  /** False: no session of the account performs in this room, as far as is known without asking the records, which are the judge. */
  mayBeTaken: (accountId: string, fingerprint: string) => boolean;
};

export class SessionCreation {
  readonly #parts: SessionCreationParts;
  /** Requests under way, by what would make another one the same. */
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

    // Two that arrive together: the second would find no record yet, and place a second face. No await before the map is set.
    const earlier = names.map((name) => this.#running.get(name)).find(Boolean);
    if (earlier) return { ...(await earlier), repeated: true };
    const opening = this.#openOnce(accountId, request, fingerprint);
    for (const name of names) this.#running.set(name, opening);
    try {
      return await opening;
    } finally {
      for (const name of names) this.#running.delete(name);
    }
  }

  /** Resolves when none is under way any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  async #openOnce(
    accountId: string,
    request: OpenSession,
    fingerprint: string | null,
  ): Promise<Opened> {
    const same = [accountId, request, fingerprint] as const;
    const mayBeTaken = fingerprint !== null && this.#parts.mayBeTaken(accountId, fingerprint);
    const earlier = await this.#findEarlier(accountId, request, mayBeTaken ? fingerprint : null);
    if (earlier) return { session: earlier, repeated: true };
    try {
      return await this.#openNew(...same);
    } catch (error) {
      // Another control plane may have been faster with the same: it has taken the last slot, the account's last session, or the record.
      const first = await this.#findEarlier(...same).catch(() => null);
      if (first) return { session: first, repeated: true };
      // It was the record, of a session that is over by now.
      if (error instanceof SessionExists) return this.#openNew(...same);
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
    const slots = await reserveSlots(this.#parts, {
      account: accountId,
      requirements: requirementsOf({ ...request, kind: 'avatar', pool: request.pool ?? null }),
      sessionId: id,
      conversationId: request.callId === undefined ? null : newRecordId(),
    });
    const lease = slots.face;
    const waitedMs = this.#parts.clock.elapsed() - askedAt;
    const made = request.room ? null : await this.#makeRoom(slots, request.newRoom);
    const room = made ? { url: made.url, token: made.avatarToken } : request.room;
    if (!room) throw new Error('a session without a room');

    const session = this.#parts.add(
      {
        id,
        accountId,
        kind: 'avatar',
        transport: request.transport,
        pool: request.pool ?? null,
        avatarId: request.avatarId,
        bundleHash: request.bundleHash,
        roomUrl: room.url,
        roomToken: room.token,
        renewedToken: null,
        tokenFingerprint: fingerprint ?? fingerprintOf(room),
        builtInRoom: made?.name ?? null,
        status: 'to_start',
        startedAt: null,
        endedAt: null,
        endReason: null,
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
    // The caller is answered first.
    setImmediate(() => {
      this.#note(session.record, waitedMs);
      session.begin();
      conversation?.begin();
    });
    return { session: session.record, ...(guests && { room: guests }), repeated: false };
  }

  #note({ id: sessionId, createdAt: at }: SessionRecord, waitedMs: number): void {
    const { events } = this.#parts;
    events.emit('session.noted', { sessionId, entry: { at, kind: 'created' } });
    events.emit('session.noted', { sessionId, entry: { at, kind: 'queued', waitedMs } });
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

  async #makeRoom(slots: Slots, newRoom: NewRoom | undefined): Promise<BuiltInRoom> {
    try {
      return await this.#parts.rooms.create(newRoom);
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

/** A call's other half, in the room that its face's session has made. */
const conversationOf = (face: SessionRecord, lease: Lease, roomToken: string): SessionRecord => ({
  ...face,
  id: lease.sessionId,
  kind: 'agent',
  roomToken,
  tokenFingerprint: fingerprintOf({ url: face.roomUrl, token: roomToken }),
  builtInRoom: null,
  epoch: lease.epoch,
  workerId: lease.workerId,
  // The agent ends the call by itself, at the end of a sentence.
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
