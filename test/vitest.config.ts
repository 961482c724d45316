import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    // One for each core; the rest of the machine waits for them anyway.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Files run side by side, and some start processes: on two busy cores a second becomes many.
          testTimeout: 20_000,
          hookTimeout: 20_000,
          include: ['test/**/*.test.ts'],
          exclude: ['test/journeys/**', 'test/clients/**', 'test/{http,records}/postgres*.test.ts'],
        },
      },
      {
        extends: true,
        // What keeps records, once more: in a real PostgreSQL instead of SQLite.
        test: {
          name: 'postgres',
          testTimeout: 20_000,
          hookTimeout: 20_000,
          include: [
            'test/{accounts,events,gateway,http,knowledge,records,sessions}/**/*.test.ts',
            'test/commands/{key,migrate}.test.ts',
            'test/app.test.ts',
          ],
          exclude: [
            'test/records/{sqlite,checkpoints}.test.ts',
            'test/knowledge/pdf-reader.test.ts',
          ],
          globalSetup: 'test/support/postgres-project.ts',
        },
      },
      {
        extends: true,
        // Real servers, a real browser and real media share two cores: one at a time.
        test: {
          name: 'journeys',
          include: ['test/journeys/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
