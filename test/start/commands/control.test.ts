import { describe, expect, test } from 'vitest';
import { control } from '../../../src/start/commands/control.ts';
import { call } from './run-command.ts';

describe('npm run control', () => {
  test.each([
    { missing: 'WORKER_TOKEN', env: {} },
    {
      missing: 'LIVEKIT_API_KEY',
      env: { WORKER_TOKEN: 'a token that workers know', LIVEKIT_URL: 'ws://127.0.0.1:1' },
    },
  ])('requires $missing and says so in one line', async ({ missing, env }) => {
    expect(await call(control, [], env)).toEqual({
      stdout: '',
      stderr: `Configuration: ${missing} must be set (see .env.example)\n`,
      status: 1,
    });
  });
});
