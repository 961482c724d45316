import { defineConfig } from 'vitest/config';

/** What sets up its process for good: the library that finds faces takes the place of `fetch`. */
const apart = ['test/photo/**/*.test.ts', 'test/avatar/build-avatar.test.ts'];

const journeys = (names: string[]) => names.map((name) => `test/journeys/${name}.test.ts`);

/** Real servers and media for a minute each, in which they wait for the minute to pass: all at once. */
const waiting = journeys(['call', 'full-reconnect', 'short-token']);

/** Real servers and media, but for much of the time they wait, or no figure of theirs is about time. */
const beside = journeys([
  'agent',
  'control-plane',
  'paused-worker',
  'photo-avatar',
  'room-page-agent',
  'start',
  'two-calls',
]);

/** They judge to the tenth of a second when something was heard or seen, or that nothing of a sound was lost. */
const alone = journeys([
  'agent-track',
  'doors',
  'hand-over',
  'managed-calls',
  'managed-room',
  'python-plugin',
  'room',
]);

/**
 * One for each core; on two busy cores a second becomes many. Files share the modules that they load, but for those that say otherwise: half of
 * the time went into loading them once for each.
 */
const units = { maxWorkers: 2, isolate: false, testTimeout: 30_000, hookTimeout: 30_000 };

/**
 * One of them has used most of a core by the time its servers and its browser are there. A neighbour of the machine can take from real media
 * what no patience gives back: each test may try once more, and `.ci/run` names those that did.
 */
const patience = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  retry: 1,
  setupFiles: ['test/journeys/setup.ts'],
  expect: { poll: { timeout: 30_000 } },
};

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          ...units,
          include: ['test/**/*.test.ts'],
          exclude: [
            ...apart,
            'test/journeys/**',
            'test/clients/**',
            'test/{http,records}/postgres*.test.ts',
            // Several control planes have their records in PostgreSQL.
            'test/sessions/control-planes*.test.ts',
            'test/chaos/**',
          ],
        },
      },
      {
        extends: true,
        // A whole avatar is built in most of them.
        test: { name: 'apart', ...units, isolate: true, testTimeout: 120_000, include: apart },
      },
      {
        extends: true,
        // What keeps records, once more: in a real PostgreSQL instead of SQLite.
        test: {
          name: 'postgres',
          ...units,
          include: [
            'test/{accounts,avatars,events,gateway,http,knowledge,records,sessions}/**/*.test.ts',
            'test/commands/{consent,key,migrate}.test.ts',
            'test/app.test.ts',
            'test/chaos/**/*.test.ts',
          ],
          exclude: [
            'test/records/{sqlite,checkpoints}.test.ts',
            'test/knowledge/{hostile,pdf-reader}.test.ts',
            // Half a minute of killed processes; who owes which delivery is tried in claims.test.ts.
            'test/events/kill.test.ts',
          ],
          globalSetup: 'test/support/postgres-project.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'waiting',
          include: waiting,
          maxWorkers: waiting.length,
          sequence: { groupOrder: 3 },
          ...patience,
        },
      },
      {
        extends: true,
        test: {
          name: 'beside',
          include: beside,
          fileParallelism: false,
          sequence: { groupOrder: 4 },
          ...patience,
        },
      },
      {
        extends: true,
        // Real servers, a real browser and real media: as many at a time as there are cores.
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          exclude: [...waiting, ...beside, ...alone],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          ...patience,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: alone,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          ...patience,
        },
      },
    ],
  },
});
