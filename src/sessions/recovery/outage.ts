/*
 * Pure state machine: whether the face of a live session is away.
 *
 * none       the face is in the room, or has not been shown yet
 * hand_over  its worker fell silent so that another one takes over
 * failover   its worker was lost
 *
 * A second loss keeps the first worker and time: the face has not been shown since.
 */

/** `workerId`: the last worker that showed the face. `since`: monotonic, in milliseconds. */
export type Outage = { type: 'none' } | Away;
export type Away = { type: 'hand_over' | 'failover'; workerId: string; since: number };

export type OutageEvent =
  | { type: 'handed_over'; workerId: string; at: number }
  | { type: 'lost'; workerId: string; at: number }
  /** The worker reconnected with its session. */
  | { type: 'returned' }
  /** The first frame of the newest placement. */
  | { type: 'shown' };

export function advanceOutage(outage: Outage, event: OutageEvent): Outage {
  switch (event.type) {
    case 'handed_over':
      return outage.type === 'none' ? begin('hand_over', event) : outage;
    case 'lost':
      return outage.type === 'none' ? begin('failover', event) : { ...outage, type: 'failover' };
    case 'returned':
    case 'shown':
      return { type: 'none' };
  }
}

const begin = (type: Away['type'], { workerId, at }: { workerId: string; at: number }): Away => ({
  type,
  workerId,
  since: at,
});
