/* Sessions and calls in the records. */
import { newRecordId } from '#shared/ids.ts';
import type { CallRecord } from '../../../src/records/calls/calls.ts';
import type { SessionRecord } from '../../../src/records/sessions/sessions.ts';

/** `to_start`, unless given. */
export const newSession = (
  accountId: string,
  createdAt: number,
  fields: Partial<SessionRecord> = {},
): SessionRecord => ({
  id: newRecordId(),
  accountId,
  kind: 'avatar',
  transport: 'mediaserver',
  avatarId: 'mira',
  bundleHash: null,
  roomUrl: 'wss://media.example',
  roomToken: 'a room token',
  renewedToken: null,
  speech: null,
  pool: null,
  tokenFingerprint: newRecordId(),
  builtInRoom: null,
  status: 'to_start',
  startedAt: null,
  endedAt: null,
  endReason: null,
  endDetail: null,
  epoch: 1,
  workerId: null,
  video: { width: 512, height: 512, fps: 25 },
  maxLengthMinutes: null,
  metadata: {},
  idempotencyKey: null,
  waitedMs: null,
  callId: null,
  signals: [],
  createdAt,
  ...fields,
});

/** Completed after a minute. */
export const pastSession = (
  accountId: string,
  createdAt: number,
  fields: Partial<SessionRecord> = {},
): SessionRecord =>
  newSession(accountId, createdAt, {
    status: 'completed',
    startedAt: createdAt,
    endedAt: createdAt + 60_000,
    endReason: 'agent_left',
    ...fields,
  });

/** Completed after a minute. */
export const pastCall = (
  accountId: string,
  createdAt: number,
  fields: Partial<CallRecord> = {},
): CallRecord => ({
  id: newRecordId(),
  accountId,
  agentId: 'agent-1',
  sessionId: 'session-1',
  roomUrl: 'wss://media.example',
  roomName: 'room-1',
  userToken: 'a token of the user',
  userName: 'Zoë',
  userEmail: 'zoe@example.com',
  tags: {},
  status: 'completed',
  startedAt: createdAt,
  endedAt: createdAt + 60_000,
  evaluation: null,
  openedFrom: null,
  rating: null,
  ratingComment: null,
  agent: null,
  createdAt,
  ...fields,
});
