import type { RetentionKind } from '../../erasure/retention.ts';
import { flag, json, number, orNull, text } from './columns.ts';

/** A kind without days follows the installation. */
export type RetentionDays = Partial<Record<RetentionKind, number>>;

export const accountColumns = {
  id: { column: 'id', codec: text },
  name: { column: 'name', codec: text },
  /** A name in `accounts/plan.ts`. */
  plan: { column: 'plan', codec: text },
  /** The owner's consent to turn pictures sent with sessions into avatars; null: not given. */
  pictureConsent: { column: 'picture_consent', codec: orNull(text) },
  /** Worker pool of its sessions; null: the default pool. */
  pool: { column: 'pool', codec: orNull(text) },
  /** Days by kind; null: as the installation. */
  retention: { column: 'retention', codec: orNull(json<RetentionDays>()) },
  /** Whether pictures of its live calls may be looked at. */
  callStills: { column: 'call_stills', codec: flag },
  /** Milliseconds since the epoch. */
  createdAt: { column: 'created_at', codec: number },
} as const;
