import { describe, expect, test } from 'vitest';
import { FIRST_AGENT_ROLE } from '#protocol/first-agent.ts';
import { isComplete, progressOf } from '../../../../src/web/console/home/progress.ts';
import type { Agent, Session } from '../../../../src/clients/typescript/src/generated/models.ts';

const session = (id: string, fields: Partial<Session> = {}): Session =>
  ({ id, status: { type: 'ongoing', started_at: '' }, metadata: {}, ...fields }) as Session;

const byTryPage = session('try', { metadata: { opened_by: 'try page' } });
const failed = { end_reason: 'room_refused' } as const;
const agents = [{ id: 'agent', system_prompt: null } as Agent];

describe('the first steps', () => {
  test('are open in an empty account', () => {
    expect(progressOf([], [])).toEqual({ hasTalked: false, arrival: null, hasAgent: false });
  });

  test('tell a talk on the try page and a call from a session of an own agent', () => {
    expect(progressOf([byTryPage], [])).toMatchObject({ hasTalked: true, arrival: null });
    expect(progressOf([session('call', { call_id: 'one' })], [])).toMatchObject({
      hasTalked: true,
      arrival: null,
    });
    const own = session('own', { metadata: { customer: 'Museum' } });
    expect(progressOf([own], [])).toMatchObject({ hasTalked: false, arrival: own });
  });

  test('take no agent of the installation for one that a person made', () => {
    const first = { id: 'first', system_prompt: `${FIRST_AGENT_ROLE} Answer.` } as Agent;

    expect(progressOf([], [first]).hasAgent).toBe(false);
    expect(progressOf([], [first, ...agents]).hasAgent).toBe(true);
    expect(progressOf([], [{ ...first, system_prompt: 'You sell shoes.' }]).hasAgent).toBe(true);
  });

  test('are not done by sessions that failed', () => {
    const progress = progressOf([{ ...byTryPage, ...failed }, session('own', failed)], agents);

    expect(progress.hasTalked).toBe(false);
    expect(progress.arrival?.id).toBe('own');
    expect(isComplete({ ...progress, hasTalked: true })).toBe(false);
  });

  test('are done when an older session of the agent worked', () => {
    const progress = progressOf([session('newer', failed), session('older'), byTryPage], agents);

    expect(progress.arrival?.id).toBe('older');
    expect(isComplete(progress)).toBe(true);
    expect(isComplete({ ...progress, hasAgent: false })).toBe(false);
  });
});
