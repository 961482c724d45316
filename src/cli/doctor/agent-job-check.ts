import { describeRefusedJobs, mediaServerLog, readRefusedJobs } from '#shared/agent-jobs.ts';
import { ok, warning, type Check } from './check.ts';

const NAME = 'Agent jobs';

/** Checks the jobs of LiveKit agents, which are known only if the service runs the media server. */
export async function checkAgentJobs(dataDir: string, now: number): Promise<Check[]> {
  const jobs = await readRefusedJobs(mediaServerLog(dataDir), now);
  if (jobs === null) return [];
  if (jobs.length === 0) return [ok(NAME, 'none was refused in the last hour')];
  const { says, fix } = describeRefusedJobs(jobs);
  return [warning(NAME, says, fix)];
}
