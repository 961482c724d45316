import type { EndReason } from '#protocol/end-reasons.ts';
import type { Order } from '#protocol/worker/gateway-messages.ts';
import { placementOf } from '#protocol/placement.ts';
import type { Question, Result } from '#protocol/worker/questions.ts';
import type { Assignment, Job, Lease, Placement } from '../fleet.ts';

/** Sent to the node that holds the worker's socket. */
export type FleetRequests = {
  /** `absent`: the node no longer holds it. */
  assign: { request: { lease: Lease; job: Job }; response: Assignment | 'absent' };
  drain: { request: { workerId: string }; response: boolean };
  ask: { request: { workerId: string; question: Question }; response: Result };
};

export type AddressedOrder = { workerId: string; order: Order };

/** Nodes of version 0.1.0 send this form, and read it beside `order`. */
type OlderNotice =
  | { lease: Lease; reason: EndReason }
  | { lease: Lease; withinMs: number }
  | { workerId: string; placement: Placement };

/** Sent to the node that holds the worker's socket, named by the type of the order. */
export type FleetNotices = Record<Order['type'], AddressedOrder | OlderNotice>;

export const noticeOf = (workerId: string, order: Order): AddressedOrder => ({
  // For nodes of version 0.1.0.
  ...('placement' in order && { ...order, lease: { ...order.placement, workerId } }),
  workerId,
  order,
});

export function readNotice(
  type: Order['type'],
  notice: AddressedOrder | OlderNotice,
): AddressedOrder {
  if ('order' in notice) return notice;
  const lease =
    'lease' in notice ? notice.lease : { ...notice.placement, workerId: notice.workerId };
  const order = { ...notice, type, placement: placementOf(lease) } as Order;
  return { workerId: lease.workerId, order };
}
