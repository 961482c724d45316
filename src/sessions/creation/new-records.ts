/* The records of a new session and of a call's conversation, which is a session of its own. */
import { hash as digest } from 'node:crypto';
import type { Lease } from '../../fleet/fleet.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';
import type { NewSession } from './new-session.ts';
import type { SessionRoom } from './session-rooms.ts';

type FaceParts = {
  accountId: string;
  request: NewSession;
  room: SessionRoom;
  lease: Lease;
  waitedMs: number;
  /** Milliseconds since the epoch. */
  createdAt: number;
};

export const faceRecord = ({
  accountId,
  request,
  room,
  lease,
  waitedMs,
  createdAt,
}: FaceParts): SessionRecord => ({
  id: lease.sessionId,
  accountId,
  kind: 'avatar',
  transport: request.transport,
  pool: request.pool ?? null,
  avatarId: request.avatarId,
  bundleHash: request.bundleHash,
  roomUrl: room.url,
  roomToken: room.token,
  renewedToken: null,
  speech: room.speech,
  tokenFingerprint: fingerprintOf(room),
  builtInRoom: room.builtIn?.name ?? null,
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
  waitedMs: Math.round(waitedMs),
  callId: request.callId ?? null,
  signals: request.signals ?? [],
  createdAt,
});

/** The conversation of a call, in the room of its face. */
export const conversationRecord = (
  face: SessionRecord,
  lease: Lease,
  roomToken: string,
): SessionRecord => ({
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

/** Identifies a room and its token. */
export const fingerprintOf = ({ url, token }: { url: string; token: string }): string =>
  digest('sha256', `${url}\n${token}`);
