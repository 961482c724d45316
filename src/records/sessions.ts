import type { Selectable } from 'kysely';
import type { EndReason } from '#shared/end-reasons.ts';
import { problem } from '../errors.ts';
import { isDuplicate, type Database, type SessionsTable } from './database.ts';
import type { Seal } from './sealed.ts';

export type SessionStatus = 'to_start' | 'ongoing' | 'completed';

/** One row of the records; times are milliseconds since the epoch. */
export type SessionRecord = {
  id: string;
  accountId: string;
  transport: 'mediaserver' | 'botroom';
  avatarId: string;
  roomUrl: string;
  /** Sealed at rest. */
  roomToken: string;
  /** SHA-256 of room url and token: finds a repeated POST without opening any token. */
  tokenFingerprint: string;
  /** Name of the room on the built-in media server, when it was made for this session. */
  builtInRoom: string | null;
  status: SessionStatus;
  startedAt: number | null;
  endedAt: number | null;
  endReason: EndReason | null;
  epoch: number;
  workerId: string | null;
  video: { width: number; height: number; fps: number };
  maxLengthMinutes: number | null;
  metadata: Record<string, string>;
  idempotencyKey: string | null;
  createdAt: number;
};

export type SessionStateFields = Pick<
  SessionRecord,
  'status' | 'startedAt' | 'endedAt' | 'endReason'
>;

export type PageRequest = { limit: number; cursor?: string | undefined };
export type Page<Item> = { data: Item[]; nextCursor: string | null };

/** This session, or one with the same idempotency key, is already recorded. */
export class SessionExists extends Error {
  override readonly name = 'SessionExists';
}

export interface SessionRecords {
  /** Throws `SessionExists` on a second one with the same id or idempotency key. */
  insert(record: SessionRecord): Promise<void>;
  find(accountId: string, id: string): Promise<SessionRecord | null>;
  findLiveByFingerprint(accountId: string, fingerprint: string): Promise<SessionRecord | null>;
  findByIdempotencyKey(accountId: string, key: string): Promise<SessionRecord | null>;
  /** Most recent first. Rows that are added while a caller pages neither shift nor repeat what follows. */
  page(accountId: string, request: PageRequest): Promise<Page<SessionRecord>>;
  updateState(id: string, fields: SessionStateFields): Promise<void>;
  updatePlacement(id: string, placement: { epoch: number; workerId: string | null }): Promise<void>;
  /** All that are not completed, oldest first: for recovery after a restart. */
  live(): Promise<SessionRecord[]>;
}

export function sessionRecords(db: Database, seal: Seal): SessionRecords {
  const nextListing = risingMicroseconds();
  const read = (row: Selectable<SessionsTable>) => toRecord(row, seal);
  const readOne = (row: Selectable<SessionsTable> | undefined) => (row ? read(row) : null);
  const ofAccount = (accountId: string) =>
    db.selectFrom('sessions').selectAll().where('account_id', '=', accountId);

  return {
    async insert(record) {
      const row = { ...toRow(record, seal), listed_at: nextListing(record.createdAt) };
      try {
        await db.insertInto('sessions').values(row).execute();
      } catch (error) {
        if (isDuplicate(error)) throw new SessionExists('This session exists.', { cause: error });
        throw error;
      }
    },

    async find(accountId, id) {
      return readOne(await ofAccount(accountId).where('id', '=', id).executeTakeFirst());
    },

    async findLiveByFingerprint(accountId, fingerprint) {
      const row = await ofAccount(accountId)
        .where('token_fingerprint', '=', fingerprint)
        .where('status', '<>', 'completed')
        .orderBy('listed_at', 'desc')
        .executeTakeFirst();
      return readOne(row);
    },

    async findByIdempotencyKey(accountId, key) {
      return readOne(
        await ofAccount(accountId).where('idempotency_key', '=', key).executeTakeFirst(),
      );
    },

    async page(accountId, { limit, cursor }) {
      let query = ofAccount(accountId)
        .orderBy('listed_at', 'desc')
        .orderBy('id', 'desc')
        // One more than asked for says whether there is a next page.
        .limit(limit + 1);
      if (cursor) {
        const { listedAt, id } = readCursor(cursor);
        query = query.where((where) =>
          where.or([
            where('listed_at', '<', listedAt),
            where.and([where('listed_at', '=', listedAt), where('id', '<', id)]),
          ]),
        );
      }
      const rows = await query.execute();
      const shown = rows.slice(0, limit);
      const last = rows.length > limit ? shown.at(-1) : undefined;
      return { data: shown.map(read), nextCursor: last ? writeCursor(last) : null };
    },

    async updateState(id, fields) {
      await db
        .updateTable('sessions')
        .set({
          status: fields.status,
          started_at: fields.startedAt,
          ended_at: fields.endedAt,
          end_reason: fields.endReason,
        })
        .where('id', '=', id)
        // A completed session never changes, whatever arrives late.
        .where('status', '<>', 'completed')
        .execute();
    },

    async updatePlacement(id, { epoch, workerId }) {
      await db
        .updateTable('sessions')
        .set({ epoch, worker_id: workerId })
        .where('id', '=', id)
        .where('epoch', '<=', epoch)
        .execute();
    },

    async live() {
      const rows = await db
        .selectFrom('sessions')
        .selectAll()
        .where('status', '<>', 'completed')
        .orderBy('listed_at')
        .execute();
      return rows.map(read);
    },
  };
}

/** Sessions made in one millisecond still have an order. */
function risingMicroseconds(): (ms: number) => number {
  let last = 0;
  return (ms) => (last = Math.max(Math.round(ms * 1000), last + 1));
}

const placeOf = (id: string): string => `sessions/${id}/room_token`;

function toRow(record: SessionRecord, seal: Seal): Omit<SessionsTable, 'listed_at'> {
  return {
    id: record.id,
    account_id: record.accountId,
    transport: record.transport,
    avatar_id: record.avatarId,
    room_url: record.roomUrl,
    room_token_sealed: seal.seal(record.roomToken, placeOf(record.id)),
    token_fingerprint: record.tokenFingerprint,
    built_in_room: record.builtInRoom,
    status: record.status,
    started_at: record.startedAt,
    ended_at: record.endedAt,
    end_reason: record.endReason,
    epoch: record.epoch,
    worker_id: record.workerId,
    video: JSON.stringify(record.video),
    max_length_minutes: record.maxLengthMinutes,
    metadata: JSON.stringify(record.metadata),
    idempotency_key: record.idempotencyKey,
    created_at: record.createdAt,
  };
}

function toRecord(row: Selectable<SessionsTable>, seal: Seal): SessionRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    transport: row.transport as SessionRecord['transport'],
    avatarId: row.avatar_id,
    roomUrl: row.room_url,
    roomToken: seal.open(row.room_token_sealed, placeOf(row.id)),
    tokenFingerprint: row.token_fingerprint,
    builtInRoom: row.built_in_room,
    status: row.status,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    endReason: row.end_reason,
    epoch: row.epoch,
    workerId: row.worker_id,
    video: JSON.parse(row.video) as SessionRecord['video'],
    maxLengthMinutes: row.max_length_minutes,
    metadata: JSON.parse(row.metadata) as SessionRecord['metadata'],
    idempotencyKey: row.idempotency_key,
    createdAt: row.created_at,
  };
}

type Position = { listedAt: number; id: string };

const writeCursor = (row: { listed_at: number; id: string }): string =>
  Buffer.from(`${row.listed_at}:${row.id}`).toString('base64url');

function readCursor(cursor: string): Position {
  const found = /^(\d{1,16}):([0-9a-zA-Z-]{1,64})$/.exec(
    Buffer.from(cursor, 'base64url').toString(),
  );
  if (!found?.[1] || !found[2]) {
    throw problem('invalid_cursor', ['query', 'cursor'], 'Not a cursor of this list.', cursor);
  }
  return { listedAt: Number(found[1]), id: found[2] };
}
