import type { Log } from '#shared/log.ts';
import { AGENT_LOST, AI_MARK } from '#protocol/room-terms.ts';
import type { CallRecords } from '../records/calls.ts';
import type { SessionEvents } from '../sessions/session-events.ts';

export type AgentLossParts = {
  /** Of the sessions that live here. */
  events: SessionEvents;
  calls: Pick<CallRecords, 'findAny'>;
  /** Replaces the metadata of a room. */
  rooms: { tell(room: string, metadata: string): Promise<void> };
  log: Log;
};

/**
 * Tells the room of a call, by its metadata, that the agent which sits in it is lost: the media server itself finds that out seconds later, and
 * until then whoever looks at the room takes it for an agent that listens. Its successor has a higher epoch than the one that is named lost,
 * so nothing has to be taken back for it, whatever becomes of this process.
 */
export function tellOfLostAgents({ events, calls, rooms, log }: AgentLossParts): void {
  /** One after another: what was told last is what holds. */
  const turns = new Map<string, Promise<void>>();
  /** Calls whose rooms were told of a loss. */
  const told = new Set<string>();
  const tell = async (callId: string, epoch: number) => {
    const call = await calls.findAny(callId);
    if (call) await rooms.tell(call.roomName, roomMetadata(epoch));
  };
  const tellInTurn = (sessionId: string, callId: string, epoch: number) => {
    const turn = (turns.get(callId) ?? Promise.resolve())
      .then(() => tell(callId, epoch))
      .catch((err: unknown) =>
        log.warn({ sessionId, err }, 'a room was not told whether its agent is lost'),
      )
      .finally(() => turns.get(callId) === turn && turns.delete(callId));
    turns.set(callId, turn);
  };
  events.on('session.lost', ({ session: { id, kind, callId, epoch } }) => {
    if (kind !== 'agent' || callId === null) return;
    told.add(callId);
    tellInTurn(id, callId, epoch);
  });
  events.on('session.returned', ({ session: { id, kind, callId } }) => {
    if (kind === 'agent' && callId !== null && told.delete(callId)) tellInTurn(id, callId, 0);
  });
  events.on('session.ended', ({ session: { callId } }) => {
    if (callId !== null) told.delete(callId);
  });
}

/** What everybody in the room of a call may read of it. */
export const roomMetadata = (lostEpoch = 0): string =>
  JSON.stringify({ [AI_MARK]: true, ...(lostEpoch > 0 && { [AGENT_LOST]: lostEpoch }) });
