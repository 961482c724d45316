import type { JobRefusal, RefusedJob } from '#shared/agent-jobs.ts';
import type { Dispatch } from '../../rooms/agent-rooms.ts';

/** Agents are asked at once, and have ten seconds to answer. Clocks are those of one machine. */
const ASKED_WITHIN_MS = 12_000;

/**
 * The reason why no agent accepted the job of this dispatch. `jobs`: recently refused ones; null:
 * unknown. Some lines name no room, so the time decides. Without a line, no agent was registered.
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
