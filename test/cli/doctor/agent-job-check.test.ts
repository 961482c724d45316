import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkAgentJobs } from '../../../src/cli/doctor/agent-job-check.ts';

const BUSY = {
  ts: 1000,
  msg: 'failed to send job request',
  error: 'no servers available (received 1 responses)',
  jobType: 'JT_ROOM',
  agentName: '',
};

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'troupe-doctor-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

const log = async (...lines: object[]) => {
  await mkdir(path.join(dataDir, 'logs'));
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  await writeFile(path.join(dataDir, 'logs', 'media-server.log'), text);
};

describe('doctor on jobs of agents', () => {
  test('names those that were refused, and the fix', async () => {
    await log(BUSY);

    expect(await checkAgentJobs(dataDir, 1_000_000)).toMatchObject([
      { state: 'warning', says: expect.stringContaining('too high a load') },
    ]);
  });

  test('is content if none was refused', async () => {
    await log({ ts: 1000, msg: 'assigned job to worker' });

    expect(await checkAgentJobs(dataDir, 1_000_000)).toMatchObject([{ state: 'ok' }]);
  });

  test('says nothing of a media server elsewhere', async () => {
    expect(await checkAgentJobs(dataDir, 1_000_000)).toEqual([]);
  });
});
