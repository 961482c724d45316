import Type, { type Static } from 'typebox';

export const Placement = Type.Object(
  { sessionId: Type.String(), epoch: Type.Integer({ minimum: 1 }) },
  { description: 'Identifies one placement of a session. The gateway rejects stale epochs.' },
);
export type Placement = Static<typeof Placement>;

/** For maps and sets. */
export const placementKey = ({ sessionId, epoch }: Placement): string => `${sessionId} ${epoch}`;

/** Without the other fields of a lease or a record. */
export const placementOf = ({ sessionId, epoch }: Placement): Placement => ({ sessionId, epoch });
