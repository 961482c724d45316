import type { EndReason } from '#protocol/end-reasons.ts';
import type { RoomSignal } from '#protocol/room-signals.ts';
import type { SpeechSource } from '#protocol/worker/gateway-messages.ts';
import { json, jsonList, number, orNull, sealed, text, textOf } from './columns.ts';
import type { Video } from '#protocol/worker/gateway-messages.ts';

/** `url` of the protocol `botroom`: a path of the control plane. */
export type SessionSpeech = Pick<SpeechSource, 'protocol' | 'url' | 'token'>;

/** Times are milliseconds since the epoch. */
export const sessionColumns = {
  id: { column: 'id', codec: text },
  accountId: { column: 'account_id', codec: text },
  /** `agent`: the conversation of a call, never shown to the account. */
  kind: { column: 'kind', codec: textOf<'avatar' | 'agent'>() },
  /** As the caller named it. A botroom with a speech source shows its face in a built-in room. */
  transport: { column: 'transport', codec: textOf<'mediaserver' | 'botroom'>() },
  /** Worker pool; null: the default pool. */
  pool: { column: 'pool', codec: orNull(text) },
  avatarId: { column: 'avatar_id', codec: text },
  /** Blob of the avatar bundle; null for a built-in avatar. */
  bundleHash: { column: 'bundle_hash', codec: orNull(text) },
  roomUrl: { column: 'room_url', codec: text },
  roomToken: { column: 'room_token_sealed', codec: sealed(text) },
  /** Newest token from the media server, if it lasts longer than `roomToken`. */
  renewedToken: { column: 'renewed_token_sealed', codec: sealed(orNull(text)) },
  /** Where the speech comes from, if not from the room. */
  speech: { column: 'speech_sealed', codec: sealed(orNull(json<SessionSpeech>())) },
  /** SHA-256 of room url and token. Finds a repeated POST without decrypting tokens. */
  tokenFingerprint: { column: 'token_fingerprint', codec: text },
  /** Room on the built-in media server, if it was created for this session. */
  builtInRoom: { column: 'built_in_room', codec: orNull(text) },
  status: { column: 'status', codec: textOf<'to_start' | 'ongoing' | 'completed'>() },
  startedAt: { column: 'started_at', codec: orNull(number) },
  endedAt: { column: 'ended_at', codec: orNull(number) },
  endReason: { column: 'end_reason', codec: orNull(textOf<EndReason>()) },
  /** More about the reason, for the owner: why the room could not be joined. */
  endDetail: { column: 'end_detail', codec: orNull(text) },
  epoch: { column: 'epoch', codec: number },
  workerId: { column: 'worker_id', codec: orNull(text) },
  video: { column: 'video', codec: json<Video>() },
  maxLengthMinutes: { column: 'max_length_minutes', codec: orNull(number) },
  metadata: { column: 'metadata', codec: json<Record<string, string>>() },
  idempotencyKey: { column: 'idempotency_key', codec: orNull(text) },
  /** Until a slot was reserved; null in rows of older versions. */
  waitedMs: { column: 'waited_ms', codec: orNull(number) },
  /** The call that this session is a half of. */
  callId: { column: 'call_id', codec: orNull(text) },
  /** Signals that the agent may send to the avatar in the room. */
  signals: { column: 'signals', codec: jsonList<RoomSignal>() },
  createdAt: { column: 'created_at', codec: number },
} as const;

/** The fields that a change of the state writes. */
export const STATE_FIELDS = ['status', 'startedAt', 'endedAt', 'endReason', 'endDetail'] as const;
