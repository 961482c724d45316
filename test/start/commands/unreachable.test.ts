import { describe, expect, test } from 'vitest';
import { backup } from '../../../src/start/commands/backup.ts';
import { consent } from '../../../src/start/commands/consent.ts';
import { key } from '../../../src/start/commands/key.ts';
import { keys } from '../../../src/start/commands/keys.ts';
import { migrate } from '../../../src/start/commands/migrate.ts';
import { call } from './run-command.ts';

const env = { DATABASE_URL: 'postgres://troupe:secret@127.0.0.1:1/troupe' };

describe('without its database', () => {
  test.each([
    { name: 'key', command: key, args: ['--name', 'my laptop'] },
    { name: 'keys', command: keys, args: ['list'] },
    { name: 'consent', command: consent, args: ['--withdraw'] },
    { name: 'migrate', command: migrate, args: [] },
    { name: 'backup', command: backup, args: ['dist/no-such-backup'] },
  ])('npm run $name ends with one sentence', async ({ command, args }) => {
    const { stdout, stderr, status } = await call(command, args, env);

    expect({ stdout, status }).toEqual({ stdout: '', status: 1 });
    expect(stderr).toMatch(/^PostgreSQL at 127\.0\.0\.1:1\/troupe: connect ECONNREFUSED .*\n$/);
  });
});
