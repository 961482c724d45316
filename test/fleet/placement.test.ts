import { describe, expect, test } from 'vitest';
import type { Requirements } from '../../src/fleet/fleet.ts';
import {
  choose,
  kindOf,
  kindsOf,
  whyNone,
  type WorkerSnapshot,
} from '../../src/fleet/placement.ts';

const WITH_BUNDLE = { bundleHash: 'a'.repeat(64) };
const requirements = {
  kind: 'avatar' as const,
  transport: 'mediaserver' as const,
  avatarId: 'mira',
  bundleHash: null,
  hasSpeechSource: false,
  needsFrames: false,
  pool: 'default',
};

type Given = Partial<WorkerSnapshot['facts'] & WorkerSnapshot>;

function worker(workerId: string, fields: Given = {}): WorkerSnapshot {
  const { slots = 4, kind = 'avatar', transports = ['mediaserver'], avatars = ['mira'] } = fields;
  const { abilities = [], pool = 'default' } = fields;
  const { taken = 0, isCoolingDown = false, isOverloaded = false, isDraining = false } = fields;
  const { isCordoned = false } = fields;
  return {
    facts: { workerId, kind, slots, transports, avatars, abilities, pool, version: '1' },
    taken,
    isCoolingDown,
    isOverloaded,
    isDraining,
    isCordoned,
  };
}

const spread = (workers: WorkerSnapshot[], of: Requirements = requirements) =>
  choose(workers, of, 'spread');

describe('placement', () => {
  test('spreads by the share of free slots, not by their number', () => {
    const workers = [
      worker('small', { slots: 2, taken: 1 }),
      worker('large', { slots: 8, taken: 3 }),
    ];

    expect(spread(workers, requirements)).toBe('large');
  });

  test('prefers the larger of two equally full workers', () => {
    expect(spread([worker('a', { slots: 2 }), worker('b', { slots: 8 })], requirements)).toBe('b');
  });

  test('packs onto the fullest worker with a free slot', () => {
    const workers = [
      worker('idle', { slots: 2 }),
      worker('half', { slots: 8, taken: 4 }),
      worker('fuller', { slots: 4, taken: 3 }),
      worker('full', { slots: 4, taken: 4 }),
    ];

    expect(choose(workers, requirements, 'pack')).toBe('fuller');
    expect(spread(workers)).toBe('idle');
  });

  test.each<[string, Given]>([
    ['is full', { slots: 2, taken: 2 }],
    ['has more leases than slots', { slots: 1, taken: 2 }],
    ['drains', { isDraining: true }],
    ['is cordoned', { isCordoned: true }],
    ['runs late', { isOverloaded: true }],
    ['is of another pool', { pool: 'gpu' }],
    ['rests', { isCoolingDown: true }],
    ['is of another kind', { kind: 'agent' }],
    ['does not speak the transport', { transports: ['botroom'] }],
    ['does not know the avatar', { avatars: ['otto'] }],
  ])('passes over a worker that %s', (_why, fields) => {
    expect(spread([worker('a', fields)], requirements)).toBeNull();
  });

  test('chooses any worker that opens bundles for an avatar with a bundle', () => {
    const older = worker('older');
    const newer = worker('newer', { avatars: [], abilities: ['bundles'], taken: 3 });

    expect(spread([older, newer], { ...requirements, ...WITH_BUNDLE })).toBe('newer');
    expect(spread([older], { ...requirements, ...WITH_BUNDLE })).toBeNull();
    expect(spread([older, newer], requirements)).toBe('older');
  });

  test('chooses only a worker with the ability for a session with a speech source', () => {
    const speechRequest = { ...requirements, hasSpeechSource: true };
    const older = worker('older');
    const newer = worker('newer', { abilities: ['speech_sources'], taken: 3 });
    const withBundles = worker('bundles', {
      avatars: [],
      abilities: ['speech_sources', 'bundles'],
    });

    expect(spread([older, newer], speechRequest)).toBe('newer');
    expect(spread([older], speechRequest)).toBeNull();
    expect(whyNone([older], speechRequest)).toBe('no_worker_for_avatar');
    expect(spread([newer, withBundles], { ...speechRequest, ...WITH_BUNDLE })).toBe('bundles');
  });

  test('chooses only a worker with the ability for a frame of another kind', () => {
    const frameRequest = { ...requirements, needsFrames: true };
    const older = worker('older');
    const newer = worker('newer', { abilities: ['frames'], taken: 3 });

    expect(spread([older, newer], frameRequest)).toBe('newer');
    expect(spread([older], frameRequest)).toBeNull();
    expect(whyNone([older], frameRequest)).toBe('no_worker_for_avatar');
  });

  test.each<[string, Given]>([
    ['an older worker', {}],
    ['with frames', { abilities: ['frames', 'speech_sources'] }],
    ['with speech sources', { abilities: ['speech_sources'] }],
    ['with bundles', { abilities: ['bundles'] }],
    ['with both', { abilities: ['bundles', 'speech_sources'], transports: ['botroom'] }],
  ])('%s is listed for exactly the requests that may choose it', (_what, fields) => {
    const candidate = worker('one', fields);
    const requests = [false, true].flatMap((hasSpeechSource) =>
      [false, true].flatMap((needsFrames) =>
        [null, 'a'.repeat(64)].flatMap((bundleHash) =>
          (['mediaserver', 'botroom'] as const).map((transport) => ({
            ...requirements,
            hasSpeechSource,
            needsFrames,
            bundleHash,
            transport,
          })),
        ),
      ),
    );

    const kinds = kindsOf(candidate.facts);

    for (const request of requests)
      expect(kinds.includes(kindOf(request))).toBe(spread([candidate], request) === 'one');
  });

  test('chooses any agent worker for a conversation, and never an avatar worker', () => {
    const talk = { ...requirements, ...WITH_BUNDLE, kind: 'agent' as const };
    const agent = worker('agent', { kind: 'agent', avatars: [], taken: 3 });

    expect(spread([worker('face', { abilities: ['bundles'] }), agent], talk)).toBe('agent');
    expect(spread([{ ...agent, isDraining: true }], talk)).toBeNull();
    expect(spread([agent], { ...talk, pool: 'gpu' })).toBeNull();
    expect(whyNone([worker('face')], talk)).toBe('no_agent_worker');
    expect(whyNone([{ ...agent, isDraining: true }], talk)).toBe('draining');
    expect(whyNone([agent], talk)).toBe('full');
  });

  test.each<[string, Given[], string]>([
    ['nobody is there', [], 'no_worker_for_avatar'],
    ['nobody has the avatar', [{ avatars: ['otto'] }], 'no_worker_for_avatar'],
    ['all who have it drain', [{ isDraining: true }, { avatars: ['otto'] }], 'draining'],
    ['one is full and one drains', [{ isDraining: true }, { taken: 4 }], 'full'],
    ['all run late', [{ isOverloaded: true }], 'full'],
    ['all are cordoned', [{ isCordoned: true }], 'full'],
  ])('says why there is none when %s', (_what, fields, why) => {
    expect(
      whyNone(
        fields.map((each, i) => worker(`${i}`, each)),
        requirements,
      ),
    ).toBe(why);
  });
});
