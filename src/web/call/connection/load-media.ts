import type { LiveCall } from './live-call.ts';

/** The media client is larger than everything else, so no page brings it. */
export const loadMedia = async (): Promise<typeof LiveCall> =>
  (await import('./live-call.ts')).LiveCall;
