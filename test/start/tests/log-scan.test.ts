import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newName, newRecordId } from '../../../src/shared/ids.ts';
import { newSigningSecret } from '../../../src/events/signature.ts';
import { scanLogs, SECRETS_FILE } from '../../../src/start/tests/log-scan.ts';
import { roomToken } from '../../support/api/build-app.ts';

const token = await roomToken();
/** As `newSecret` makes it. */
const SECRET = 'q7PhDUz0mGx4CkRaT9vLsE2nYwJb6iOfQ1dHtKcX';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-log-scan-'));
  await mkdir(path.join(folder, 'service'));
});
afterEach(() => rm(folder, { recursive: true }));

async function secretsIn(line: string): Promise<string[]> {
  await writeFile(path.join(folder, 'service/control.log.1'), `{"msg":"started"}\n${line}\n`);
  return (await scanLogs(folder)).map(({ file, line: at, secret }) => `${file}:${at} ${secret}`);
}

describe('the scan of logs', () => {
  test('finds a secret that a test has noted', async () => {
    await writeFile(path.join(folder, SECRETS_FILE), '"a password"\n"another"\n');

    expect(await secretsIn('{"msg":"a password was wrong"}')).toEqual([
      'service/control.log.1:2 a password',
    ]);
  });

  test.each([
    { what: 'an API key', secret: SECRET, before: 'troupe_' },
    { what: 'a worker token', secret: SECRET },
    { what: 'a room token', secret: token },
    { what: 'a signing secret', secret: newSigningSecret() },
    {
      what: 'a signing secret with another in it',
      secret: 'whsec_2p+6jHoiFBcP9skrA5aJJtdFxtA7uRZpuCi1uKxlC0s=',
    },
  ])('finds $what that the service made', async ({ secret, before = '' }) => {
    expect(await secretsIn(`{"url":"/v1?x=${before}${secret}"}`)).toEqual([
      `service/control.log.1:2 ${secret}`,
    ]);
  });

  test.each([
    { what: 'ids', line: `{"sessionId":"${newRecordId()}","room":"${newName('troupe')}"}` },
    {
      what: 'hashes',
      line: `{"bundle":"${'0123456789abcdef'.repeat(4)}","at":"${'a1'.repeat(20)}"}`,
    },
    {
      what: 'stacks',
      line: '{"stack":"at ServerImplementation.handleSomethingVeryLongWithoutDigits (x.ts:1:2)"}',
    },
    { what: 'times', line: '{"time":"2026-01-01T12:00:00.000Z","responseTime":1234567890123.25}' },
  ])('passes over $what', async ({ line }) => {
    expect(await secretsIn(line)).toEqual([]);
  });
});
