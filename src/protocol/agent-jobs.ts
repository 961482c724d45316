/* Jobs that the media server gives to LiveKit agents. */

/** In the order of the media server's numbers. */
export const JOB_STATUSES = ['pending', 'running', 'finished', 'failed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/**
 * `busy`: every agent of this name reports a load above a limit, its own or the media server's.
 * `rejected`: the agent was asked and said no. `silent`: it did not answer. `not_registered`: no
 * agent of this name is connected.
 */
export const JOB_REFUSALS = ['busy', 'rejected', 'silent', 'not_registered'] as const;
export type JobRefusal = (typeof JOB_REFUSALS)[number];
