import { number, orNull, text, textOf } from './columns.ts';

/** Times are milliseconds since the epoch. */
export const avatarColumns = {
  id: { column: 'id', codec: text },
  accountId: { column: 'account_id', codec: text },
  name: { column: 'name', codec: text },
  status: { column: 'status', codec: textOf<'building' | 'ready' | 'failed'>() },
  /** Why the build failed: a name in `picture-problems.ts`. */
  reason: { column: 'reason', codec: orNull(text) },
  /** Percent. */
  progress: { column: 'progress', codec: number },
  /** `blur` or a colour `#rrggbb`; a picture in `backgroundHash` takes precedence. */
  background: { column: 'background', codec: text },
  consent: { column: 'consent', codec: text },
  consentedAt: { column: 'consented_at', codec: number },
  consentKeyId: { column: 'consent_key_id', codec: orNull(text) },
  pictureHash: { column: 'picture_hash', codec: text },
  backgroundHash: { column: 'background_hash', codec: orNull(text) },
  bundleHash: { column: 'bundle_hash', codec: orNull(text) },
  portraitHash: { column: 'portrait_hash', codec: orNull(text) },
  /** Hash of the picture if it was sent with a session. An account has one avatar of each. */
  sessionPicture: { column: 'session_picture', codec: orNull(text) },
  epoch: { column: 'epoch', codec: number },
  tries: { column: 'tries', codec: number },
  workerId: { column: 'worker_id', codec: orNull(text) },
  claimedUntil: { column: 'claimed_until', codec: number },
  /** When the build was last requested. */
  queuedAt: { column: 'queued_at', codec: number },
  settledAt: { column: 'settled_at', codec: orNull(number) },
  createdAt: { column: 'created_at', codec: number },
} as const;
