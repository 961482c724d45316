import { describe, expect, test } from 'vitest';
import {
  asText,
  fileNameOf,
  firstLineOf,
  hasWords,
} from '../../../../src/web/console/conversations/transcript-text.ts';
import type {
  Call,
  CallMessages,
} from '../../../../src/clients/typescript/src/generated/models.ts';

const call: Call = {
  id: '01a22c94-0000-7000-8000-000000000000',
  agent_id: 'agent',
  session_id: 'session',
  status: { type: 'completed', started_at: '', ended_at: '' },
  user_name: 'Ada',
  user_email: 'ada@example.com',
  tags: {},
  started_at: '2026-01-01T12:00:00Z',
  ended_at: '2026-01-01T12:01:00Z',
  evaluation: {
    topic: 'Opening hours',
    user_sentiment: 'positive',
    duration_minutes: 1,
    messages_count: 2,
    evaluated_by: 'rules',
  },
  rating: 'good',
  rating_comment: 'Very quick.',
};

const messages: CallMessages = [
  { sender: 'ai', message: 'Welcome.', sent_at: '2026-01-01T12:00:01Z' },
  { sender: 'user', message: 'When do you open?', sent_at: '2026-01-01T12:00:05Z' },
];

describe('a conversation', () => {
  test('is listed with what the visitor said first, else with the greeting', () => {
    expect(firstLineOf(messages)).toBe('When do you open?');
    expect(firstLineOf(messages.slice(0, 1))).toBe('Welcome.');
    expect(firstLineOf([])).toBeUndefined();
  });

  test.each(['ADA', '@example', ' hours ', 'do you open', 'quick'])('is found by %s', (words) => {
    expect(hasWords(call, messages, words)).toBe(true);
  });

  test('is not found by other words, nor by what is not read yet', () => {
    expect(hasWords(call, messages, 'tickets')).toBe(false);
    expect(hasWords(call, undefined, 'do you open')).toBe(false);
    expect(hasWords({ ...call, user_name: null, evaluation: null }, [], 'ada ')).toBe(true);
  });

  test('becomes a text with every line, its speaker and its time', () => {
    expect(asText(call, messages, 'Nora')).toBe(
      [
        'Nora, Ada',
        '2026-01-01T12:00:00Z – 2026-01-01T12:01:00Z',
        'Opening hours',
        'Rating: Good',
        'Comment: Very quick.',
        '',
        '[2026-01-01T12:00:01Z] Nora: Welcome.',
        '[2026-01-01T12:00:05Z] Ada: When do you open?',
        '',
      ].join('\n'),
    );
    expect(fileNameOf(call)).toBe('conversation-2026-01-01-01a22c94');
  });

  test('has a text while it goes on, and without a name', () => {
    const unrated = { ...call, evaluation: null, rating: null, rating_comment: null };
    const text = asText({ ...unrated, user_name: null, ended_at: null }, [], 'Nora');

    expect(text).toBe('Nora, Visitor\n2026-01-01T12:00:00Z –\n\n');
  });
});
