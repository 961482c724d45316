import type { Placement } from '#protocol/worker-messages.ts';

/** For maps and sets. */
export const placementKey = ({ sessionId, epoch }: Placement): string => `${sessionId} ${epoch}`;
