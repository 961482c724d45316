import { defineConfig } from 'vitest/config';

/** Not a test of the suite: `npm run screenshots` makes pictures to look at. */
export default defineConfig({
  test: {
    include: ['test/show/screenshots.ts'],
    env: { TROUPE_ENV_FILE: '/dev/null' },
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
