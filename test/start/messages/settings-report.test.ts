import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { settingsReport } from '../../../src/start/messages/settings-report.ts';

const knownNames = ['PORT', 'HOST', 'TROUPE_API_KEY', 'PG*'];

describe('the report on settings', () => {
  test('names what came from the file and from the environment, without values', () => {
    const env = { PORT: '1', TROUPE_API_KEY: 'secret', PGHOST: 'db', PATH: '/bin', HOST: '' };
    const file = {
      file: path.resolve('.env'),
      taken: ['TROUPE_API_KEY', 'HOST', 'OTHER'],
      ignored: ['PORT'],
    };

    expect(settingsReport({ env, file, knownNames })).toEqual([
      'Settings from .env: TROUPE_API_KEY.',
      'Settings from the environment: PGHOST, PORT.',
    ]);
  });

  test('names settings of the file that do not exist', () => {
    const file = { file: path.resolve('.env'), taken: ['TROUPE_APIKEY'], ignored: [] };

    expect(settingsReport({ env: {}, file, knownNames })).toContain(
      'Unknown settings in .env: TROUPE_APIKEY.',
    );
  });

  test('says nothing when there are none', () => {
    expect(settingsReport({ env: { PATH: '/bin' }, file: null, knownNames })).toEqual([]);
  });
});
