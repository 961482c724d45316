import type { TurnLatency } from '#protocol/call-brief.ts';
import type { Amounts, Budget, Unit } from '#protocol/budgets.ts';
import type { TypedEvents } from '#shared/typed-events.ts';

export type CallEventMap = {
  /** More was spent. */
  'call.charged': Amounts;
  /** A budget is used up; emitted once by the control plane that counted it. */
  'budget.reached': { budget: Budget; unit: Unit };
  /** A managed agent answered; emitted once for each answer, after it is saved. */
  'answer.timed': { callId: string; lineId: string; sentAt: number; latency: TurnLatency };
};
export type CallEvents = TypedEvents<CallEventMap>;
