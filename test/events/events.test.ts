import { describe, expect, test } from 'vitest';
import {
  avatarReady,
  callEnded,
  callStarted,
  messageAdded,
  sessionChanged,
  testEvent,
} from '../../src/events/events.ts';

const STARTED = Date.UTC(2026, 0, 1, 12);
const ENDED = STARTED + 330_000;

const call = {
  id: 'call-1',
  accountId: 'account-1',
  agentId: 'agent-1',
  sessionId: 'session-1',
  userName: 'Zoë',
  userEmail: null,
  tags: { shop: '17' },
  startedAt: STARTED,
  endedAt: ENDED,
};
const userMessage = { sender: 'user', message: 'Hello', sentAt: STARTED + 1 } as const;
const evaluation = {
  topic: 'shoes',
  userSentiment: 'positive',
  durationMinutes: 5.5,
  messagesCount: 1,
  evaluatedBy: 'model',
} as const;

describe('events of a call', () => {
  test('start with its facts', () => {
    expect(callStarted({ ...call, endedAt: null }, STARTED)).toEqual({
      accountId: 'account-1',
      subject: 'call-1',
      type: 'call.started',
      at: STARTED,
      data: {
        id: 'call-1',
        agent_id: 'agent-1',
        session_id: 'session-1',
        user_name: 'Zoë',
        user_email: null,
        tags: { shop: '17' },
        started_at: '2026-01-01T12:00:00.000000+00:00',
        ended_at: null,
      },
    });
  });

  test('end with the fields that existing receivers read', () => {
    expect(callEnded(call, [userMessage], evaluation, ENDED).extra).toEqual({
      event_type: 'call_ended',
      call_id: 'call-1',
      call_data: { userName: 'Zoë', agentId: 'agent-1' },
      evaluation: {
        topic: 'shoes',
        user_sentiment: 'positive',
        duration_minutes: 5.5,
        messages_count: 1,
        evaluated_by: 'model',
      },
      messages: [{ sender: 'user', message: 'Hello', sent_at: '2026-01-01T12:00:00.001000+00:00' }],
      user_name: 'Zoë',
    });
  });

  test('have every field, even without a name or a start', () => {
    const never = { ...call, userName: null, startedAt: null };

    expect(
      callEnded(never, [], { ...evaluation, durationMinutes: 0, messagesCount: 0 }, ENDED).extra,
    ).toMatchObject({
      call_data: { userName: '', agentId: 'agent-1' },
      evaluation: { duration_minutes: 0, messages_count: 0 },
      messages: [],
      user_name: '',
    });
  });

  test('report each message in both formats', () => {
    const message = {
      sender: 'user',
      message: 'Hello',
      sent_at: '2026-01-01T12:00:00.001000+00:00',
    };

    expect(messageAdded(call, userMessage)).toEqual({
      accountId: 'account-1',
      subject: 'call-1',
      type: 'message',
      at: userMessage.sentAt,
      data: { call_id: 'call-1', ...message },
      extra: {
        event_type: 'message',
        call_id: 'call-1',
        call_data: { userName: 'Zoë', agentId: 'agent-1' },
        message,
      },
    });
  });
});

describe('other events', () => {
  test("hold a session's public body, in the order of its call", () => {
    const record = { id: 'session-1', accountId: 'account-1', callId: 'call-1' };

    expect(sessionChanged('ended', record, { id: 'session-1' }, ENDED)).toEqual({
      accountId: 'account-1',
      subject: 'call-1',
      type: 'session.ended',
      data: { id: 'session-1' },
      at: ENDED,
    });
    expect(sessionChanged('started', { ...record, callId: null }, {}, 1).subject).toBe('session-1');
  });

  test('report a ready avatar', () => {
    expect(avatarReady('account-1', { id: 'avatar-1', name: 'Mira' }, 1)).toMatchObject({
      subject: 'avatar-1',
      type: 'avatar.ready',
      data: { id: 'avatar-1', name: 'Mira' },
    });
  });

  test('include unordered tests that existing receivers accept', () => {
    expect(testEvent('account-1', 'webhook-1', 1)).toMatchObject({
      subject: null,
      type: 'test',
      data: { webhook_id: 'webhook-1' },
      extra: { event_type: 'test' },
    });
  });
});
