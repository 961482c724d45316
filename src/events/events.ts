/* The public events and their contents. Pure. */
import type { Budget, UNIT_NAMES } from '#protocol/budgets.ts';
import type { Rating } from '#protocol/call-ratings.ts';
import { isoTime } from '#shared/iso-time.ts';
import type { CallEvaluation } from '../records/calls/calls.ts';
import type { OutgoingEvent } from '../records/webhooks/outbox.ts';

export const EVENT_TYPES = [
  'session.started',
  'session.ended',
  'session.quality_changed',
  'call.started',
  'call.ended',
  'call.rated',
  'message',
  'agent.budget_reached',
  'avatar.ready',
  'test',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

type KnownEvent = OutgoingEvent & { type: EventType };

/** The part of a call that events report. Times are milliseconds since the epoch. */
type CallFacts = {
  id: string;
  accountId: string;
  agentId: string;
  sessionId: string;
  userName: string | null;
  userEmail: string | null;
  tags: Record<string, string>;
  startedAt: number | null;
  endedAt: number | null;
};

type BudgetFacts = {
  accountId: string;
  agentId: string;
  callId: string;
  budget: Budget;
  unit: (typeof UNIT_NAMES)[number];
  limit: number;
  /** Null: the budget of the call, which ends. */
  resetsAt: number | null;
};

type MessageFacts = { sender: 'ai' | 'user'; message: string; sentAt: number };

/** `session`: the public body, as the API returns it. */
export const sessionChanged = (
  change: 'started' | 'ended',
  { id, accountId, callId }: { id: string; accountId: string; callId: string | null },
  session: Record<string, unknown>,
  at: number,
): KnownEvent => ({
  accountId,
  // Events of a call and its session share one order.
  subject: callId ?? id,
  type: `session.${change}`,
  data: session,
  at,
});

export const qualityChanged = (
  { id, accountId, callId }: { id: string; accountId: string; callId: string | null },
  quality: string,
  at: number,
): KnownEvent => ({
  accountId,
  subject: callId ?? id,
  type: 'session.quality_changed',
  data: { session_id: id, call_id: callId, quality },
  at,
});

export const callStarted = (call: CallFacts, at: number): KnownEvent => ({
  ...aboutCall(call, at),
  type: 'call.started',
  data: toCall(call),
});

/** `messages`: all messages of the call, in order. */
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

export const callRated = (
  call: CallFacts & { rating: Rating | null; ratingComment: string | null },
  at: number,
): KnownEvent => ({
  ...aboutCall(call, at),
  type: 'call.rated',
  data: { ...toCall(call), rating: call.rating, rating_comment: call.ratingComment },
});

export const messageAdded = (call: CallFacts, message: MessageFacts): KnownEvent => ({
  ...aboutCall(call, message.sentAt),
  type: 'message',
  data: { call_id: call.id, ...toMessage(message) },
  extra: { event_type: 'message', ...olderCall(call), message: toMessage(message) },
});

export const budgetReached = ({ accountId, ...facts }: BudgetFacts, at: number): KnownEvent => ({
  accountId,
  // In the order of the call in which it was used up.
  subject: facts.callId,
  type: 'agent.budget_reached',
  data: {
    agent_id: facts.agentId,
    call_id: facts.callId,
    budget: facts.budget,
    unit: facts.unit,
    limit: facts.limit,
    resets_at: facts.resetsAt === null ? null : isoTime(facts.resetsAt),
  },
  at,
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
  // Unordered, so that a failed test does not delay the next one.
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
  session_id: call.sessionId,
  user_name: call.userName,
  user_email: call.userEmail,
  tags: call.tags,
  started_at: call.startedAt === null ? null : isoTime(call.startedAt),
  ended_at: call.endedAt === null ? null : isoTime(call.endedAt),
});

/** Existing receivers read all fields but `evaluated_by`. */
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

/** Top-level fields that existing receivers read. One of them requires both keys of `call_data`. */
const olderCall = (call: CallFacts) => ({
  call_id: call.id,
  call_data: { userName: call.userName ?? '', agentId: call.agentId },
});
