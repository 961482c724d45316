import type { RoomSignal } from '#protocol/room-signals.ts';
import type { LineCaller } from '../../fleet/waiting-line.ts';
import type { Transaction } from '../../records/engine/database.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';
import type { RoomRequest } from './session-rooms.ts';

export type NewSession = RoomRequest & {
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
  /** The caller's place in line. Sessions without a call have none. */
  line?: Omit<LineCaller, 'account'>;
  /** Throws when the account may not create a session. Not called for a repeated request. */
  admit?: () => Promise<void>;
  /** Writes in the session's transaction. */
  alongside?: (trx: Transaction, session: SessionRecord, room: GuestRoom | null) => Promise<void>;
};

/** Lets the caller bring an agent and viewers into the created room. */
export type GuestRoom = { url: string; name: string; agentToken: string; viewerToken: string };

export type CreatedSession = {
  session: SessionRecord;
  room?: GuestRoom;
  /** The request repeats an earlier one. */
  repeated: boolean;
};
