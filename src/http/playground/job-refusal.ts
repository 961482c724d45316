import type { JobRefusal, RefusedJob } from '#shared/agent-jobs.ts';
import type { Dispatch } from '../../rooms/agent-rooms.ts';

/** Agents are asked at once, and have ten seconds to answer. Clocks are those of one machine. */
const ASKED_WITHIN_MS = 12_000;

/**
 * Why nobody took the job of this dispatch. `jobs`: those that were refused lately; null: not
 * known. Some lines name no room, so the time tells. Without a line nobody was there to be asked.
 */
export function jobRefusal(
  { name, dispatch }: { name: string; dispatch: Dispatch },
  jobs: readonly RefusedJob[] | null,
): JobRefusal | null {
  if (dispatch.jobs.length > 0 || jobs === null) return null;
  const ofRoom = jobs.findLast(
    ({ room, agentName, at }) =>
      agentName === dispatch.agentName &&
      (room === name || room === null) &&
      at >= dispatch.at - 1_000 &&
      at < dispatch.at + ASKED_WITHIN_MS,
  );
  return ofRoom?.why ?? 'not_registered';
}
