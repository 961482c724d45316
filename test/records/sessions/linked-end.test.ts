import { describe, expect, test } from 'vitest';
import { linkedEnd } from '../../../src/records/sessions/linked-end.ts';
import type { SessionRecord } from '../../../src/records/sessions/session-row.ts';

const session = (fields: Partial<SessionRecord>) =>
  ({
    callId: 'call',
    startedAt: null,
    endedAt: null,
    endReason: null,
    endDetail: null,
    ...fields,
  }) as SessionRecord;

const face = session({ id: 'face', startedAt: 10, endedAt: 50, endReason: 'agent_left' });

describe('the end of a linked session', () => {
  test('has the time and reason of the session that ended', () => {
    expect(linkedEnd(face, session({ id: 'conversation', startedAt: 20 }))).toEqual({
      status: 'completed',
      startedAt: 20,
      endedAt: 50,
      endReason: 'agent_left',
      endDetail: null,
    });
  });

  test.each([
    ['did not start', null, 50],
    ['started later by its clock', 60, 60],
  ])('has zero length when it %s', (_what, startedAt, at) => {
    const end = linkedEnd(face, session({ id: 'conversation', startedAt }));

    expect(end).toMatchObject({ startedAt: at, endedAt: at });
  });

  test('has zero length when the conversation had none, because no user came', () => {
    const conversation = { id: 'conversation', kind: 'agent', startedAt: 20, endedAt: 20 } as const;
    const ended = session({ ...conversation, endReason: 'room_empty' });

    expect(linkedEnd(ended, session({ id: 'face', startedAt: 10 }))).toEqual({
      status: 'completed',
      startedAt: 10,
      endedAt: 10,
      endReason: 'room_empty',
      endDetail: null,
    });
  });

  test.each([
    ['the session itself', { id: 'face' }],
    ['a session of another call', { id: 'conversation', callId: 'another call' }],
  ])('does not concern %s', (_what, fields) => {
    expect(linkedEnd(face, session(fields))).toBeNull();
  });

  test('does not exist without a call, or before an end', () => {
    const conversation = session({ id: 'conversation' });

    expect(linkedEnd({ ...face, callId: null }, { ...conversation, callId: null })).toBeNull();
    expect(linkedEnd(conversation, face)).toBeNull();
  });
});
