/* Jobs that the media server gives to LiveKit agents. */
import type { JobRefusal } from '#shared/agent-jobs.ts';

/** In the order of the media server's numbers. */
export const JOB_STATUSES = ['pending', 'running', 'finished', 'failed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** A request for agents in a room, as the playground's routes answer it. */
export type AnsweredDispatch = {
  /** Empty with automatic dispatch. */
  agent_name: string;
  age_ms: number;
  jobs: { status: JobStatus; error: string }[];
  refusal: JobRefusal | null;
};
