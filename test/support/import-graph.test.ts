import { expect, test } from 'vitest';
import { testsThatReach } from './import-graph.ts';

test('finds the tests that reach a file, directly or through others, and no other', () => {
  const tests = testsThatReach('test/support/records/database.ts', [
    'test/{http,records}/**/*.test.ts',
  ]);

  // Directly, and through build-app.ts.
  expect(tests).toContain('test/records/migrations/migrate.test.ts');
  expect(tests).toContain('test/http/sessions/session-routes.test.ts');
  expect(tests).not.toContain('test/records/engine/encryption/encryptor.test.ts');
  expect(tests).not.toContain('test/http/errors/fault-replies.test.ts');
});
