import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  describeRefusedJobs,
  readRefusedJobs,
  refusedJobsIn,
  type RefusedJob,
} from '../../src/shared/agent-jobs.ts';

/* Lines of livekit-server 1.11.0, shortened. */
const line = (fields: object) =>
  JSON.stringify({ level: 'info', ts: 1000, jobType: 'JT_ROOM', agentName: '', ...fields });
const notSent = (error: string, fields = {}) =>
  line({ msg: 'failed to send job request', error, namespace: '', ...fields });
const ASSIGNED = line({ msg: 'assigned job to worker', room: 'a-room', jobID: 'AJ_1' });
const REJECTED = line({
  msg: 'failed to assign job to worker',
  room: 'a-room',
  error: 'worker not available',
});

const reasonsIn = (...lines: string[]) => refusedJobsIn(lines.join('\n')).map(({ why }) => why);

describe('refused jobs of agents', () => {
  test('an agent above the load limit is busy', () => {
    expect(refusedJobsIn(notSent('no servers available (received 1 responses)'))).toEqual([
      { at: 1_000_000, why: 'busy', agentName: '', room: null },
    ]);
  });

  test('an agent with full load is busy', () => {
    expect(reasonsIn(notSent('no workers with sufficient capacity'))).toEqual(['busy']);
  });

  test('a job that each agent rejects counts once', () => {
    const lines = [
      REJECTED,
      REJECTED,
      line({ msg: 'no worker available to handle job', room: 'a-room' }),
      notSent('no workers with sufficient capacity'),
    ];

    expect(reasonsIn(...lines)).toEqual(['rejected']);
  });

  test('a busy agent long after a rejection counts', () => {
    const later = notSent('no workers with sufficient capacity', { ts: 1060 });

    expect(reasonsIn(REJECTED, later)).toEqual(['rejected', 'busy']);
  });

  test('an agent that does not answer is silent', () => {
    expect(reasonsIn(notSent('agent worker availability timeout'))).toEqual(['silent']);
  });

  test('a name that no agent has is not registered', () => {
    const unknown = line({
      msg: 'not dispatching agent job since no worker is available',
      agentName: 'helper',
      room: 'a-room',
    });

    expect(refusedJobsIn(unknown)).toEqual([
      { at: 1_000_000, why: 'not_registered', agentName: 'helper', room: 'a-room' },
    ]);
    expect(reasonsIn(notSent('no response from servers', { agentName: 'helper' }))).toEqual([
      'not_registered',
    ]);
  });

  test('a room that asks for no agent by name counts only if an agent is there', () => {
    expect(reasonsIn(notSent('no response from servers'))).toEqual([]);
  });

  test('other lines count nothing', () => {
    const ofParticipant = notSent('no workers with sufficient capacity', {
      jobType: 'JT_PARTICIPANT',
    });

    expect(reasonsIn(ASSIGNED, ofParticipant, 'a job in plain text', '{"job')).toEqual([]);
  });
});

describe('the log of refused jobs', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'troupe-jobs-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('tells those of the last hour', async () => {
    const file = path.join(folder, 'media-server.log');
    await writeFile(file, `${notSent('no servers available', { ts: 1000 })}\n`);
    await appendFile(file, `${notSent('no servers available', { ts: 3000 })}\n`);
    await appendFile(file, `${line({ msg: 'API RoomService.ListRooms', ts: 5000 })}\nplain text\n`);

    const jobs = await readRefusedJobs(file, 5_000_000);

    expect(jobs?.map(({ at }) => at)).toEqual([3_000_000]);
  });

  test('reads only the end of a long file', async () => {
    const file = path.join(folder, 'media-server.log');
    const end = notSent('no servers available', { ts: 3000 });
    await writeFile(file, `${`${ASSIGNED}\n`.repeat(20_000)}${end}\n`);

    expect(await readRefusedJobs(file, 3_000_000)).toHaveLength(1);
  });

  test('tells nothing if no media server writes it', async () => {
    const file = path.join(folder, 'media-server.log');
    await writeFile(file, `${notSent('no servers available', { ts: 3000 })}\n`);

    expect(await readRefusedJobs(file, 3_200_000)).toHaveLength(1);
    expect(await readRefusedJobs(file, 3_400_000)).toBeNull();
    await writeFile(file, '');
    expect(await readRefusedJobs(file, 3_000_000)).toBeNull();
  });

  test('tells nothing without a file', async () => {
    expect(await readRefusedJobs(path.join(folder, 'none.log'), 0)).toBeNull();
  });
});

const job = (why: RefusedJob['why']): RefusedJob => ({ at: 0, why, agentName: '', room: null });

describe('words for refused jobs', () => {
  test('one reason stands alone', () => {
    expect(describeRefusedJobs([job('busy')])).toEqual({
      says: 'One room of the last hour got no agent: the agents reported too high a load.',
      fix: expect.stringContaining('agents.target_load'),
    });
  });

  test('several reasons are counted, each with its fix', () => {
    const { says, fix } = describeRefusedJobs([
      job('rejected'),
      job('busy'),
      job('busy'),
      job('not_registered'),
      job('silent'),
    ]);

    expect(says).toBe(
      '5 rooms of the last hour got no agent: the agents reported too high a load (2); the agent rejected the job (1); the agent did not answer the offer of the job (1); no agent of the requested name was connected (1).',
    );
    expect(fix).toContain('request_fnc');
    expect(fix).toContain('agent_name');
  });
});
