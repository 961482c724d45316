import { describe, expect, test } from 'vitest';
import { choose, type WorkerSnapshot } from '../../src/fleet/placement.ts';

const wanted = { transport: 'mediaserver' as const, avatarId: 'nora' };

type Given = Partial<WorkerSnapshot['facts'] & WorkerSnapshot['load'] & WorkerSnapshot>;

function worker(workerId: string, given: Given = {}): WorkerSnapshot {
  const { slots = 4, kind = 'avatar', transports = ['mediaserver'], avatars = ['nora'] } = given;
  const { taken = 0, isResting = false, lateFrames = 0, draining = false } = given;
  return {
    facts: { workerId, kind, slots, transports, avatars, version: '1' },
    load: { performing: taken, lateFrames, draining },
    taken,
    isResting,
  };
}

describe('placement', () => {
  test('takes the worker that is least full by share, not by number', () => {
    const workers = [
      worker('small', { slots: 2, taken: 1 }),
      worker('large', { slots: 8, taken: 3 }),
    ];

    expect(choose(workers, wanted)).toBe('large');
  });

  test('takes the one with more room when both are as full', () => {
    expect(choose([worker('a', { slots: 2 }), worker('b', { slots: 8 })], wanted)).toBe('b');
  });

  test('prefers a fuller worker that keeps time to an idle one that does not', () => {
    const workers = [worker('late', { lateFrames: 0.2 }), worker('busy', { taken: 3 })];

    expect(choose(workers, wanted)).toBe('busy');
  });

  test('takes a late worker rather than none', () => {
    expect(choose([worker('late', { lateFrames: 0.2 })], wanted)).toBe('late');
  });

  test.each<[string, Given]>([
    ['is full', { slots: 2, taken: 2 }],
    ['has more leases than slots', { slots: 1, taken: 2 }],
    ['drains', { draining: true }],
    ['rests', { isResting: true }],
    ['is of another kind', { kind: 'agent' }],
    ['does not speak the transport', { transports: ['botroom'] }],
    ['does not know the avatar', { avatars: ['theo'] }],
  ])('passes over a worker that %s', (_why, given) => {
    expect(choose([worker('a', given)], wanted)).toBeNull();
  });
});
