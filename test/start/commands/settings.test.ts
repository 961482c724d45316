import { describe, expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

describe('settings of commands', () => {
  test.each(['control', 'migrate', 'key --name a', 'consent --withdraw'])(
    'npm run %s names a wrong one in one line',
    (command) => {
      const [name = '', ...args] = command.split(' ');

      expect(runCommand(name, args, { PORT: 'many' })).toEqual({
        stdout: '',
        stderr: 'Configuration: PORT must be integer (see .env.example)\n',
        status: 1,
      });
    },
  );
});
