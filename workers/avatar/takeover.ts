import type { Assign } from '#protocol/worker/gateway-messages.ts';
import type { Takeover } from './transport/transport.ts';

/**
 * The answers that a worker owes the agent on a takeover: every open segment was interrupted, and
 * so was one more, for speech sent while no worker was in the room. An agent that waits for none
 * ignores it. A relay keeps such speech, so its client is owed none. Undefined for a session's
 * first placement, unless it takes the seat of another session.
 */
export function takeoverOf({
  placement,
  transport,
  speech,
  unanswered,
}: Assign): Takeover | undefined {
  if (placement.epoch === 1 && unanswered === undefined) return undefined;
  const isRelayed = transport === 'botroom' || speech?.protocol === 'botroom';
  const positions = [...(unanswered ?? []), ...(isRelayed ? [] : [0])];
  return {
    unanswered: positions.map((positionSeconds) => ({ positionSeconds, interrupted: true })),
    byStreams: unanswered !== undefined,
  };
}
