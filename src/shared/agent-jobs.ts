/*
 * Jobs that no LiveKit agent accepted, from the log of the media server that `npm start` runs:
 * its API does not tell them. With automatic dispatch and no agent at all, it logs nothing.
 */
import { open } from 'node:fs/promises';
import path from 'node:path';

/**
 * `busy`: every agent of this name reports a load above a limit, its own or the media server's.
 * `rejected`: the agent was asked and said no. `silent`: it did not answer. `not_registered`: no
 * agent of this name is connected.
 */
export const JOB_REFUSALS = ['busy', 'rejected', 'silent', 'not_registered'] as const;
export type JobRefusal = (typeof JOB_REFUSALS)[number];

export type RefusedJob = {
  at: number;
  why: JobRefusal;
  /** Empty with automatic dispatch. */
  agentName: string;
  /** Null: the line does not name it. */
  room: string | null;
};

/** Older jobs are left out. */
const RECENT_MS = 3_600_000;
/** It logs each request of the control plane. An older log is of another start. */
const WRITTEN_MS = 300_000;
/** Some minutes of a busy media server. */
const READ_BYTES = 2 * 1024 ** 2;
const SAME_JOB_MS = 10_000;

export const mediaServerLog = (dataDir: string): string =>
  path.resolve(dataDir, 'logs', 'media-server.log');

/** The text for operators. `jobs`: at least one. */
export function describeRefusedJobs(jobs: readonly RefusedJob[]): { says: string; fix: string } {
  const reasons = JOB_REFUSALS.flatMap((why) => {
    const count = jobs.filter((job) => job.why === why).length;
    return count > 0 ? [{ count, ...REASONS[why] }] : [];
  });
  const joins = jobs.length === 1 ? 'One room' : `${jobs.length} rooms`;
  const parts = reasons.map(({ count, says }) =>
    reasons.length === 1 ? says : `${says} (${count})`,
  );
  return {
    says: `${joins} of the last hour got no agent: ${parts.join('; ')}.`,
    fix: reasons.map(({ fix }) => fix).join(' '),
  };
}

const REASONS: Record<JobRefusal, { says: string; fix: string }> = {
  busy: {
    says: 'the agents reported too high a load',
    fix: 'Run more processes or machines of the agent, let it report less load (load_fnc, loadFunc), or raise agents.target_load of the media server.',
  },
  rejected: {
    says: 'the agent rejected the job',
    fix: 'Its request function (request_fnc, requestFunc) decides: see its log.',
  },
  silent: {
    says: 'the agent did not answer the offer of the job',
    fix: 'Its process hangs or its machine is overloaded: see its log.',
  },
  not_registered: {
    says: 'no agent of the requested name was connected',
    fix: 'Start it, or correct the name: agent_name (agentName) of its options and of the dispatch must be equal.',
  },
};

/** Oldest first. Null: no media server writes this log, so nothing is known. */
export async function readRefusedJobs(file: string, now: number): Promise<RefusedJob[] | null> {
  const text = await readEnd(file);
  if (text === null || lastTimeIn(text) < now - WRITTEN_MS) return null;
  return refusedJobsIn(text).filter(({ at }) => at > now - RECENT_MS);
}

function lastTimeIn(text: string): number {
  const lastLine = text.split('\n').findLast((line) => parse(line) !== null);
  return (parse(lastLine ?? '')?.ts ?? 0) * 1000;
}

export function refusedJobsIn(text: string): RefusedJob[] {
  const jobs: RefusedJob[] = [];
  for (const line of text.split('\n')) {
    const job = line.includes('job') ? refusedJobIn(line) : null;
    const previous = jobs.at(-1);
    if (job && !(previous && isSameJob(previous, job))) jobs.push(job);
  }
  return jobs;
}

/** Each agent that rejects a job has a line, and one more says that no other agent is left. */
const isSameJob = (previous: RefusedJob, job: RefusedJob): boolean =>
  previous.why === 'rejected' &&
  (job.why === 'busy' || job.room === previous.room) &&
  job.agentName === previous.agentName &&
  job.at - previous.at < SAME_JOB_MS;

type Line = {
  ts: number;
  msg: string;
  jobType: string;
  agentName: string;
  room?: string;
  error?: string;
};

function refusedJobIn(text: string): RefusedJob | null {
  const line = parse(text);
  // Publishers and participants have jobs of their own, which LiveKit Agents does not use.
  if (line?.jobType !== 'JT_ROOM') return null;
  const { ts, agentName, room = null } = line;
  const why = reasonIn(line);
  return why && { at: ts * 1000, why, agentName, room };
}

function reasonIn({ msg, agentName, error = '' }: Line): JobRefusal | null {
  switch (msg) {
    case 'not dispatching agent job since no worker is available':
      return 'not_registered';
    case 'failed to assign job to worker':
      return error === 'worker not available' ? 'rejected' : null;
    case 'failed to send job request':
      if (/^no servers available|^no workers with sufficient capacity/.test(error)) return 'busy';
      if (/timeout/.test(error)) return 'silent';
      // Rooms without the name of an agent are for no agent in particular.
      return agentName === '' ? null : 'not_registered';
    default:
      return null;
  }
}

function parse(text: string): Line | null {
  try {
    return JSON.parse(text) as Line;
  } catch {
    // The first line is cut, and other programs may have written plain text.
    return null;
  }
}

async function readEnd(file: string): Promise<string | null> {
  const handle = await open(file).catch(() => null);
  if (!handle) return null;
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, READ_BYTES);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8');
  } finally {
    await handle.close();
  }
}
