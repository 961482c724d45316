/* What can happen, by its public names, and what is told of it. Everything here is pure. */
import { isoTime } from '#shared/iso-time.ts';
import type { CallEvaluation } from '../records/calls.ts';
import type { OutgoingEvent } from '../records/outbox.ts';

export const EVENT_TYPES = [
  'session.started',
  'session.ended',
  'call.started',
  'call.ended',
  'message',
  'avatar.ready',
  'test',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

type KnownEvent = OutgoingEvent & { type: EventType };

/** What events say of a call; times are milliseconds since the epoch. */
export type CallFacts = {
  id: string;
  accountId: string;
  agentId: string;
  userName: string | null;
  userEmail: string | null;
  tags: Record<string, string>;
  startedAt: number | null;
  endedAt: number | null;
};

export type MessageFacts = { sender: 'ai' | 'user'; message: string; sentAt: number };

/** `session` is the session's public body, as the API answers it. */
export const sessionChanged = (
  change: 'started' | 'ended',
  { id, accountId, callId }: { id: string; accountId: string; callId: string | null },
  session: Record<string, unknown>,
  at: number,
): KnownEvent => ({
  accountId,
  // What happens in a call is told in one order, its session included.
  subject: callId ?? id,
  type: `session.${change}`,
  data: session,
  at,
});

export const callStarted = (call: CallFacts, at: number): KnownEvent => ({
  ...aboutCall(call, at),
  type: 'call.started',
  data: toCall(call),
});

/** `messages`: all of the call, in order. */
export function callEnded(
  call: CallFacts,
  messages: MessageFacts[],
  evaluation: CallEvaluation,
  at: number,
): KnownEvent {
  return {
    ...aboutCall(call, at),
    type: 'call.ended',
    data: toCall(call),
    extra: {
      event_type: 'call_ended',
      ...olderCall(call),
      evaluation: toEvaluation(evaluation),
      messages: messages.map(toMessage),
      user_name: call.userName ?? '',
    },
  };
}

export const messageSaid = (call: CallFacts, said: MessageFacts): KnownEvent => ({
  ...aboutCall(call, said.sentAt),
  type: 'message',
  data: { call_id: call.id, ...toMessage(said) },
  extra: { event_type: 'message', ...olderCall(call), message: toMessage(said) },
});

export const avatarReady = (
  accountId: string,
  avatar: { id: string; name: string },
  at: number,
): KnownEvent => ({
  accountId,
  subject: avatar.id,
  type: 'avatar.ready',
  data: { id: avatar.id, name: avatar.name },
  at,
});

export const testEvent = (accountId: string, webhookId: string, at: number): KnownEvent => ({
  accountId,
  // One that fails must not hold up the next.
  subject: null,
  type: 'test',
  data: { webhook_id: webhookId },
  extra: { event_type: 'test', message: 'This is a test of your webhook.' },
  at,
});

const aboutCall = ({ id, accountId }: CallFacts, at: number) => ({ accountId, subject: id, at });

const toCall = (call: CallFacts) => ({
  id: call.id,
  agent_id: call.agentId,
  user_name: call.userName,
  user_email: call.userEmail,
  tags: call.tags,
  started_at: call.startedAt === null ? null : isoTime(call.startedAt),
  ended_at: call.endedAt === null ? null : isoTime(call.endedAt),
});

/** `topic`, `user_sentiment`, `duration_minutes` and `messages_count` are what existing receivers read. */
export const toEvaluation = (evaluation: CallEvaluation) => ({
  topic: evaluation.topic,
  user_sentiment: evaluation.userSentiment,
  duration_minutes: evaluation.durationMinutes,
  messages_count: evaluation.messagesCount,
  evaluated_by: evaluation.evaluatedBy,
});

const toMessage = ({ sender, message, sentAt }: MessageFacts) => ({
  sender,
  message,
  sent_at: isoTime(sentAt),
});

/** What existing receivers read at the top. Both keys of `call_data` are always there: one of them has no default for either. */
const olderCall = (call: CallFacts) => ({
  call_id: call.id,
  call_data: { userName: call.userName ?? '', agentId: call.agentId },
});
