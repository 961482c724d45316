import { defineConfig } from 'vitest/config';

/** Not a test of the suite: it measures, see scroll.ts. */
export default defineConfig({
  test: {
    include: ['test/show/scroll.ts'],
    env: { TROUPE_ENV_FILE: '/dev/null' },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
