import type { Log } from '#shared/log.ts';
import { AGENT_LOST, AI_MARK } from '#protocol/room-terms.ts';
import type { CallRecords } from '../records/calls/calls.ts';
import type { SessionEvents } from '../sessions/session-events.ts';

export type AgentLossParts = {
  /** Events of the sessions that this control plane owns. */
  events: SessionEvents;
  calls: Pick<CallRecords, 'findAny'>;
  /** Replaces the metadata of a room. */
  rooms: { setMetadata(room: string, metadata: string): Promise<void> };
  log: Log;
};

/**
 * Announces a lost agent in the metadata of the call's room. The media server notices only seconds
 * later, and clients would take the participant for an agent that listens. The metadata names the
 * lost epoch, so it needs no reset: a successor has a higher one.
 */
export function announceLostAgents({ events, calls, rooms, log }: AgentLossParts): void {
  /** Last update by call. Updates of a room run in order, so that the newest wins. */
  const updates = new Map<string, Promise<void>>();
  /** Calls with an announced loss. */
  const announced = new Set<string>();
  const write = async (callId: string, epoch: number) => {
    const call = await calls.findAny(callId);
    if (call) await rooms.setMetadata(call.roomName, roomMetadata(epoch));
  };
  const writeInOrder = (sessionId: string, callId: string, epoch: number) => {
    const update = (updates.get(callId) ?? Promise.resolve())
      .then(() => write(callId, epoch))
      .catch((err: unknown) =>
        log.warn({ sessionId, err }, 'room metadata not updated about its agent'),
      )
      .finally(() => updates.get(callId) === update && updates.delete(callId));
    updates.set(callId, update);
  };
  events.on('session.lost', ({ session: { id, kind, callId, epoch } }) => {
    if (kind !== 'agent' || callId === null) return;
    announced.add(callId);
    writeInOrder(id, callId, epoch);
  });
  events.on('session.returned', ({ session: { id, kind, callId } }) => {
    if (kind === 'agent' && callId !== null && announced.delete(callId))
      writeInOrder(id, callId, 0);
  });
  events.on('session.ended', ({ session: { callId } }) => {
    if (callId !== null) announced.delete(callId);
  });
}

/** Public metadata of a call's room. `lostEpoch` 0: the agent is not lost. */
export const roomMetadata = (lostEpoch = 0): string =>
  JSON.stringify({ [AI_MARK]: true, ...(lostEpoch > 0 && { [AGENT_LOST]: lostEpoch }) });
