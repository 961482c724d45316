import type { Rating } from '#protocol/call-ratings.ts';
import type { AgentSettings } from '../../agents/agent-settings.ts';
import { json, number, orNull, sealed, sealedOrClear, text, textOf } from './columns.ts';

export type CallEvaluation = {
  topic: string;
  userSentiment: 'positive' | 'neutral' | 'negative';
  durationMinutes: number;
  messagesCount: number;
  evaluatedBy: 'model' | 'rules';
};

/** Times are milliseconds since the epoch. */
export const callColumns = {
  id: { column: 'id', codec: text },
  accountId: { column: 'account_id', codec: text },
  /** The agent may have been deleted. */
  agentId: { column: 'agent_id', codec: text },
  sessionId: { column: 'session_id', codec: text },
  /** The media server's address for the user. */
  roomUrl: { column: 'room_url', codec: text },
  roomName: { column: 'room_name', codec: text },
  userToken: { column: 'user_token_sealed', codec: sealed(text) },
  userName: { column: 'user_name', codec: sealedOrClear(orNull(text)) },
  userEmail: { column: 'user_email', codec: sealedOrClear(orNull(text)) },
  tags: { column: 'tags', codec: sealedOrClear(json<Record<string, string>>()) },
  /** Follows the avatar session, as do the times. */
  status: { column: 'status', codec: textOf<'to_start' | 'ongoing' | 'completed'>() },
  startedAt: { column: 'started_at', codec: orNull(number) },
  endedAt: { column: 'ended_at', codec: orNull(number) },
  /** Null until shortly after the end, and in rows of older versions. */
  evaluation: { column: 'evaluation', codec: sealedOrClear(orNull(json<CallEvaluation>())) },
  /**
   * The agent's settings when the call began; null after the evaluation, and in rows of older
   * versions.
   */
  agent: { column: 'agent', codec: sealedOrClear(orNull(json<AgentSettings>())) },
  /** Keyed hash of the visitor's address; null after the end, and for calls opened with a key. */
  openedFrom: { column: 'opened_from', codec: orNull(text) },
  /** By the user; null until then. */
  rating: { column: 'rating', codec: orNull(textOf<Rating>()) },
  ratingComment: { column: 'rating_comment_sealed', codec: sealed(orNull(text)) },
  createdAt: { column: 'created_at', codec: number },
} as const;

/** Latencies of an answer in milliseconds; null: unknown. */
type MessageLatency = {
  transcriptMs: number | null;
  firstTokenMs: number | null;
  firstAudioMs: number | null;
  firstFrameMs: number | null;
};

/** A line of a call. */
export const callMessageColumns = {
  id: { column: 'id', codec: text },
  callId: { column: 'call_id', codec: text },
  sender: { column: 'sender', codec: textOf<'ai' | 'user'>() },
  message: { column: 'message', codec: sealedOrClear(text) },
  /** When it began. */
  sentAt: { column: 'sent_at', codec: number },
  latency: { column: 'latency', codec: orNull(json<MessageLatency>()) },
} as const;
