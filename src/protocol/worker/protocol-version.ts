import { PROTOCOL_VERSION } from './worker-messages.ts';

export type ProtocolRange = { oldest: number; newest: number };

/**
 * Workers and control planes also speak the version before theirs, so that either may be upgraded
 * first.
 */
export const PROTOCOLS: ProtocolRange = {
  oldest: Math.max(1, PROTOCOL_VERSION - 1),
  newest: PROTOCOL_VERSION,
};

/** The newest version that both speak; null if there is none. */
export function agreedProtocol(range: ProtocolRange, otherRange: ProtocolRange): number | null {
  const newest = Math.min(range.newest, otherRange.newest);
  return newest >= Math.max(range.oldest, otherRange.oldest) ? newest : null;
}
