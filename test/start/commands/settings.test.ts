import { describe, expect, test } from 'vitest';
import { consent } from '../../../src/start/commands/consent.ts';
import { control } from '../../../src/start/commands/control.ts';
import { key } from '../../../src/start/commands/key.ts';
import { migrate } from '../../../src/start/commands/migrate.ts';
import { call } from './run-command.ts';

describe('settings of commands', () => {
  test.each([
    { name: 'control', command: control, args: [] },
    { name: 'migrate', command: migrate, args: [] },
    { name: 'key', command: key, args: ['--name', 'a'] },
    { name: 'consent', command: consent, args: ['--withdraw'] },
  ])('npm run $name names a wrong one in one line', async ({ command, args }) => {
    expect(await call(command, args, { PORT: 'many' })).toEqual({
      stdout: '',
      stderr: 'Configuration: PORT must be integer (see .env.example)\n',
      status: 1,
    });
  });
});
