import type { TurnLatency } from '#protocol/call-brief.ts';
import type { TypedEvents } from '#shared/typed-events.ts';

export type CallEventMap = {
  /** A managed agent answered; emitted once for each answer, after it is saved. */
  'answer.timed': { callId: string; lineId: string; sentAt: number; latency: TurnLatency };
};
export type CallEvents = TypedEvents<CallEventMap>;
