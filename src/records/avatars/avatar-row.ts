import type { Selectable } from 'kysely';
import type { AvatarsTable } from '../engine/tables/tables.ts';

type AvatarStatus = 'building' | 'ready' | 'failed';

/** A statement of consent. `keyId` is null if it was given on one of our pages. */
export type Consent = { statement: string; at: number; keyId: string | null };

export type AvatarRecord = {
  id: string;
  accountId: string;
  name: string;
  status: AvatarStatus;
  /** Why the build failed: a name in `picture-problems.ts`. */
  reason: string | null;
  /** Percent. */
  progress: number;
  /** `blur` or a colour `#rrggbb`; a picture in `backgroundHash` takes precedence. */
  background: string;
  consent: Consent;
  pictureHash: string;
  backgroundHash: string | null;
  bundleHash: string | null;
  portraitHash: string | null;
  /** Whether the picture was sent with a session. */
  isFromSession: boolean;
  epoch: number;
  tries: number;
  workerId: string | null;
  claimedUntil: number;
  /** When the build was last requested. */
  queuedAt: number;
  settledAt: number | null;
  createdAt: number;
};

type Row = Selectable<AvatarsTable>;

export const toAvatar = (row: Row): AvatarRecord => ({
  id: row.id,
  accountId: row.account_id,
  name: row.name,
  status: row.status,
  reason: row.reason,
  progress: row.progress,
  background: row.background,
  consent: { statement: row.consent, at: row.consented_at, keyId: row.consent_key_id },
  pictureHash: row.picture_hash,
  backgroundHash: row.background_hash,
  bundleHash: row.bundle_hash,
  portraitHash: row.portrait_hash,
  isFromSession: row.session_picture !== null,
  epoch: row.epoch,
  tries: row.tries,
  workerId: row.worker_id,
  claimedUntil: row.claimed_until,
  queuedAt: row.queued_at,
  settledAt: row.settled_at,
  createdAt: row.created_at,
});

/** Hashes of the blobs that the row refers to. */
export const toBlobs = (row: Row): string[] =>
  [row.picture_hash, row.background_hash, row.bundle_hash, row.portrait_hash].filter(
    (hash) => hash !== null,
  );
