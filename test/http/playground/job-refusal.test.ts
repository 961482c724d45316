import { describe, expect, test } from 'vitest';
import type { RefusedJob } from '#shared/agent-jobs.ts';
import { jobRefusal } from '../../../src/http/playground/job-refusal.ts';
import type { Dispatch } from '../../../src/rooms/agent-rooms.ts';

const AT = 1_000_000;
const asked = (fields: Partial<Dispatch> = {}) => ({
  name: 'a-room',
  dispatch: { agentName: '', at: AT, jobs: [], ...fields },
});
const refused = (fields: Partial<RefusedJob> = {}): RefusedJob => ({
  at: AT + 200,
  why: 'busy',
  agentName: '',
  room: null,
  ...fields,
});

describe('why nobody took a job', () => {
  test('is known from the time, if the line names no room', () => {
    expect(jobRefusal(asked(), [refused()])).toBe('busy');
  });

  test('is known from the room', () => {
    const jobs = [refused({ why: 'rejected', room: 'a-room' }), refused({ room: 'another' })];

    expect(jobRefusal(asked(), jobs)).toBe('rejected');
  });

  test('is that nobody was there, without a line', () => {
    expect(jobRefusal(asked(), [])).toBe('not_registered');
  });

  test('is not that of other names, and of other times', () => {
    const others = [
      refused({ agentName: 'helper' }),
      refused({ at: AT - 60_000 }),
      refused({ at: AT + 60_000 }),
    ];

    expect(jobRefusal(asked(), others)).toBe('not_registered');
  });

  test('is not known without the log', () => {
    expect(jobRefusal(asked(), null)).toBeNull();
  });

  test('is nothing for a job that an agent took', () => {
    const jobs = [{ status: 'running', error: '' } as const];

    expect(jobRefusal(asked({ jobs }), [refused()])).toBeNull();
  });
});
