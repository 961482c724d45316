/*
 * Creates a session: slot, room, record, in this order. A failed step undoes the earlier ones.
 *
 * A request that repeats an earlier one, by room or idempotency key, returns that session. Two at
 * once by room are joined here. Two at once by key are joined by `Idempotency` of the HTTP API, or,
 * at two control planes, told apart by the records.
 */
import type { Clock } from '#shared/clock.ts';
import { newRecordId } from '#shared/ids.ts';
import type { SessionOwnership } from '../../cluster/session-ownership.ts';
import { Fault } from '../../errors.ts';
import {
  SessionExists,
  type SessionRecord,
  type SessionRecords,
} from '../../records/sessions/sessions.ts';
import type { BuiltInRoom } from '../../rooms/rooms.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import { requirementsOf } from '../placement/job.ts';
import type { SessionSlots, Slots } from '../placement/slots.ts';
import type { SessionEvents } from '../session-events.ts';
import { conversationRecord, faceRecord, fingerprintOf } from './new-records.ts';
import type { GuestRoom, CreatedSession, NewSession } from './new-session.ts';
import type { SessionRoom, SessionRooms } from './session-rooms.ts';

type SessionCreationParts = {
  records: SessionRecords;
  slots: SessionSlots;
  rooms: SessionRooms;
  live: Pick<LiveSessions, 'add' | 'remove' | 'hasRoom' | 'takeSharedSeat'>;
  /** Set when several control planes share the sessions. */
  ownership?: SessionOwnership | undefined;
  events: SessionEvents;
  clock: Clock;
};

export class SessionCreation {
  readonly #parts: SessionCreationParts;
  readonly #running = new Set<Promise<CreatedSession>>();
  /** Running requests that bring a room, by account and room. */
  readonly #runningByRoom = new Map<string, Promise<CreatedSession>>();

  constructor(parts: SessionCreationParts) {
    this.#parts = parts;
  }

  /** Throws `at_capacity` when no slot comes free in time. */
  async open({ id: accountId }: { id: string }, request: NewSession): Promise<CreatedSession> {
    const { room } = request;
    if (!room) return this.#track(this.#openOnce(accountId, request, null));
    const fingerprint = fingerprintOf(room);
    const roomKey = `${accountId} ${fingerprint}`;
    // No await before the map is set: two equal requests at once would place two faces.
    const earlier = this.#runningByRoom.get(roomKey);
    if (earlier) return asRepeated(await earlier, request);
    const opening = this.#track(this.#openOnce(accountId, request, fingerprint));
    this.#runningByRoom.set(roomKey, opening);
    try {
      return await opening;
    } finally {
      this.#runningByRoom.delete(roomKey);
    }
  }

  /** Resolves when no request is running. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #track(opening: Promise<CreatedSession>): Promise<CreatedSession> {
    this.#running.add(opening);
    try {
      return await opening;
    } finally {
      this.#running.delete(opening);
    }
  }

  async #openOnce(
    accountId: string,
    request: NewSession,
    fingerprint: string | null,
  ): Promise<CreatedSession> {
    const { live, ownership } = this.#parts;
    // With several control planes only the records know all sessions.
    const mayBeTaken =
      fingerprint !== null && (ownership !== undefined || live.hasRoom(accountId, fingerprint));
    const earlier = await this.#findEarlier(accountId, request, mayBeTaken ? fingerprint : null);
    if (earlier) return asRepeated({ session: earlier }, request);
    try {
      return await this.#openNew(accountId, request);
    } catch (error) {
      // Another control plane may have created the same session first, with the last slot.
      const existing = await this.#findEarlier(accountId, request, fingerprint).catch(() => null);
      if (existing) return asRepeated({ session: existing }, request);
      // The session that held the record has ended since.
      if (error instanceof SessionExists) return this.#openNew(accountId, request);
      throw error;
    }
  }

  async #openNew(accountId: string, request: NewSession): Promise<CreatedSession> {
    await request.admit?.();
    const { live, clock } = this.#parts;
    const requestedAt = clock.elapsed();
    const slots = await this.#reserve(accountId, request);
    const waitedMs = clock.elapsed() - requestedAt;
    const room = await this.#openRoom(slots, request);
    const { builtIn } = room;

    const lease = slots.face;
    const createdAt = clock.now();
    const face = faceRecord({ accountId, request, room, lease, waitedMs, createdAt });
    const session = live.add(face, lease);
    const conversation =
      slots.conversation && builtIn
        ? live.add(
            conversationRecord(session.record, slots.conversation, builtIn.agentToken),
            slots.conversation,
          )
        : null;
    const guests = builtIn && guestRoom(builtIn);
    await this.#save(session, conversation, request, guests);
    // After the answer to the caller.
    setImmediate(() => {
      this.#recordCreation(session.record, waitedMs);
      void live.takeSharedSeat(session).then(() => session.begin());
      conversation?.begin();
    });
    return { session: session.record, ...(guests && { room: guests }), repeated: false };
  }

  #reserve(accountId: string, request: NewSession): Promise<Slots> {
    const { callId, pool = null, speech = null } = request;
    return this.#parts.slots.reserve({
      account: accountId,
      requirements: requirementsOf({ ...request, kind: 'avatar', pool, speech }),
      sessionId: newRecordId(),
      conversationId: callId === undefined ? null : newRecordId(),
      line: request.line,
    });
  }

  async #openRoom(slots: Slots, request: NewSession): Promise<SessionRoom> {
    try {
      return await this.#parts.rooms.open(request);
    } catch (error) {
      await this.#parts.slots.free(slots);
      throw error;
    }
  }

  #recordCreation({ id, callId, createdAt: at }: SessionRecord, waitedMs: number): void {
    const { events } = this.#parts;
    const session = { sessionId: id, callId };
    events.emit('session.timeline', { ...session, entry: { at, kind: 'created' } });
    events.emit('session.timeline', { ...session, entry: { at, kind: 'queued', waitedMs } });
  }

  async #findEarlier(
    accountId: string,
    { idempotencyKey }: NewSession,
    fingerprint: string | null,
  ): Promise<SessionRecord | null> {
    const { records } = this.#parts;
    const byKey = idempotencyKey
      ? await records.findByIdempotencyKey(accountId, idempotencyKey)
      : null;
    if (byKey || !fingerprint) return byKey;
    return records.findLiveByFingerprint(accountId, fingerprint);
  }

  async #save(
    session: LiveSession,
    conversation: LiveSession | null,
    { maxLive = null, alongside }: NewSession,
    room: GuestRoom | null,
  ): Promise<void> {
    const { live, rooms } = this.#parts;
    const { record } = session;
    try {
      await session.save({
        maxLive,
        ...(conversation && { partner: conversation.record }),
        ...(alongside && { alongside: (trx) => alongside(trx, record, room) }),
      });
    } catch (error) {
      for (const each of conversation ? [session, conversation] : [session]) {
        live.remove(each.record);
        rooms.close(each.record);
        await each.abandon();
      }
      throw error;
    }
  }
}

/** Throws a 409 if the session that has the room shows another avatar. */
function asRepeated(
  earlier: Omit<CreatedSession, 'repeated'>,
  { avatarId, room, takesAnyAvatar }: NewSession,
): CreatedSession {
  const { session } = earlier;
  const isSame = session.avatarId === avatarId || room === undefined;
  if (isSame || takesAnyAvatar) return { ...earlier, repeated: true };
  throw new Fault('conflict', {
    detail:
      'A session with another avatar uses this room token. End that session first, or make a new token.',
    about: { session_id: session.id, avatar_id: session.avatarId },
  });
}

const guestRoom = ({ publicUrl, name, agentToken, viewerToken }: BuiltInRoom): GuestRoom => ({
  url: publicUrl,
  name,
  agentToken,
  viewerToken,
});
