import type { Insertable, Selectable } from 'kysely';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { SpeechSource } from '#protocol/worker/gateway-messages.ts';
import type { RoomSignal } from '#protocol/room-signals.ts';
import type { SessionsTable } from '../engine/tables/tables.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import { placeOf } from '../keys/encrypted-columns.ts';

type SessionStatus = 'to_start' | 'ongoing' | 'completed';

/** `url` of the protocol `botroom`: a path of the control plane. */
export type SessionSpeech = Pick<SpeechSource, 'protocol' | 'url' | 'token'>;

/** Times are milliseconds since the epoch. */
export type SessionRecord = {
  id: string;
  accountId: string;
  /** `agent`: the conversation of a call, never shown to the account. */
  kind: 'avatar' | 'agent';
  /** As the caller named it. A botroom with a speech source shows its face in a built-in room. */
  transport: 'mediaserver' | 'botroom';
  /** Worker pool; null: the default pool. */
  pool: string | null;
  avatarId: string;
  /** Blob of the avatar bundle; null for a built-in avatar. */
  bundleHash: string | null;
  roomUrl: string;
  /** Encrypted at rest. */
  roomToken: string;
  /** Newest token from the media server, if it lasts longer than `roomToken`. Encrypted at rest. */
  renewedToken: string | null;
  /** Where the speech comes from, if not from the room. Encrypted at rest. */
  speech: SessionSpeech | null;
  /** SHA-256 of room url and token. Finds a repeated POST without decrypting tokens. */
  tokenFingerprint: string;
  /** Room on the built-in media server, if it was created for this session. */
  builtInRoom: string | null;
  status: SessionStatus;
  startedAt: number | null;
  endedAt: number | null;
  endReason: EndReason | null;
  /** More about the reason, for the owner: why the room could not be joined. */
  endDetail: string | null;
  epoch: number;
  workerId: string | null;
  video: { width: number; height: number; fps: number };
  maxLengthMinutes: number | null;
  metadata: Record<string, string>;
  idempotencyKey: string | null;
  /** The call that this session is a half of. */
  callId: string | null;
  /** Signals that the agent may send to the avatar in the room. */
  signals: RoomSignal[];
  createdAt: number;
};

export function toRow(
  record: SessionRecord,
  encryptor: Encryptor,
): Omit<Insertable<SessionsTable>, 'listed_at'> {
  return {
    id: record.id,
    account_id: record.accountId,
    kind: record.kind,
    transport: record.transport,
    pool: record.pool,
    avatar_id: record.avatarId,
    bundle_hash: record.bundleHash,
    room_url: record.roomUrl,
    room_token_sealed: encryptor.encrypt(record.roomToken, placeIn(record.id)),
    renewed_token_sealed:
      record.renewedToken === null ? null : sealRenewed(record.id, record.renewedToken, encryptor),
    speech_sealed:
      record.speech && encryptor.encrypt(JSON.stringify(record.speech), speechPlaceIn(record.id)),
    token_fingerprint: record.tokenFingerprint,
    built_in_room: record.builtInRoom,
    status: record.status,
    started_at: record.startedAt,
    ended_at: record.endedAt,
    end_reason: record.endReason,
    end_detail: record.endDetail,
    epoch: record.epoch,
    worker_id: record.workerId,
    video: JSON.stringify(record.video),
    max_length_minutes: record.maxLengthMinutes,
    metadata: JSON.stringify(record.metadata),
    idempotency_key: record.idempotencyKey,
    call_id: record.callId,
    signals: record.signals.length > 0 ? JSON.stringify(record.signals) : null,
    created_at: record.createdAt,
  };
}

/** Tokens and speech sources are decrypted on access, as most readers never use them. */
export function toRecord(row: Selectable<SessionsTable>, encryptor: Encryptor): SessionRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    kind: row.kind,
    transport: row.transport as SessionRecord['transport'],
    pool: row.pool,
    avatarId: row.avatar_id,
    bundleHash: row.bundle_hash,
    roomUrl: row.room_url,
    get roomToken() {
      return encryptor.decrypt(row.room_token_sealed, placeIn(row.id));
    },
    get renewedToken() {
      const sealed = row.renewed_token_sealed;
      return sealed === null ? null : encryptor.decrypt(sealed, renewedPlaceIn(row.id));
    },
    get speech() {
      const sealed = row.speech_sealed;
      return sealed === null
        ? null
        : (JSON.parse(encryptor.decrypt(sealed, speechPlaceIn(row.id))) as SessionSpeech);
    },
    tokenFingerprint: row.token_fingerprint,
    builtInRoom: row.built_in_room,
    status: row.status,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    endReason: row.end_reason,
    endDetail: row.end_detail,
    epoch: row.epoch,
    workerId: row.worker_id,
    video: JSON.parse(row.video) as SessionRecord['video'],
    maxLengthMinutes: row.max_length_minutes,
    metadata: JSON.parse(row.metadata) as SessionRecord['metadata'],
    idempotencyKey: row.idempotency_key,
    callId: row.call_id,
    signals: row.signals === null ? [] : (JSON.parse(row.signals) as SessionRecord['signals']),
    createdAt: row.created_at,
  };
}

export const sealRenewed = (id: string, token: string, encryptor: Encryptor): string =>
  encryptor.encrypt(token, renewedPlaceIn(id));

const placeIn = (id: string): string => placeOf('sessions', 'room_token_sealed', id);
const speechPlaceIn = (id: string): string => placeOf('sessions', 'speech_sealed', id);
const renewedPlaceIn = (id: string): string => placeOf('sessions', 'renewed_token_sealed', id);
