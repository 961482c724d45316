import type { Assign } from '#protocol/gateway-messages.ts';
import type { Takeover } from './transport/transport.ts';

/**
 * The answers that a worker owes the agent on a takeover: every open segment was interrupted, and
 * so was one more, for speech sent while no worker was in the room. An agent that waits for none
 * ignores it. Undefined for a session's first placement.
 */
export function takeoverOf({ placement, unanswered }: Assign): Takeover | undefined {
  if (placement.epoch === 1) return undefined;
  const positions = [...(unanswered ?? []), 0];
  return {
    unanswered: positions.map((positionSeconds) => ({ positionSeconds, interrupted: true })),
    byStreams: unanswered !== undefined,
  };
}
