import { describe, expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

const env = { DATABASE_URL: 'postgres://troupe:secret@127.0.0.1:1/troupe' };

describe('without its database', () => {
  test.each([
    ['key', ['--name', 'my laptop']],
    ['keys', ['list']],
    ['consent', ['--withdraw']],
    ['migrate', []],
    ['backup', ['dist/no-such-backup']],
  ])('npm run %s ends with one sentence', (name, args) => {
    const { stdout, stderr, status } = runCommand(name, args, env);

    expect({ stdout, status }).toEqual({ stdout: '', status: 1 });
    expect(stderr).toMatch(/^PostgreSQL at 127\.0\.0\.1:1\/troupe: connect ECONNREFUSED .*\n$/);
  });
});
