import { avatarColumns } from '../engine/tables/avatar-columns.ts';
import type { RecordOf, RowOf } from '../engine/tables/columns.ts';
import { recordRows } from '../engine/tables/record-rows.ts';

/** A statement of consent. `keyId` is null if it was given on one of our pages. */
export type Consent = { statement: string; at: number; keyId: string | null };

type Fields = RecordOf<typeof avatarColumns>;

/** `isFromSession`: its picture was sent with a session. */
export type AvatarRecord = Omit<
  Fields,
  'consent' | 'consentedAt' | 'consentKeyId' | 'sessionPicture'
> & { consent: Consent; isFromSession: boolean };

type Row = RowOf<typeof avatarColumns>;

const { toRecord, toRow } = recordRows(avatarColumns);

export function toAvatar(row: Row): AvatarRecord {
  const { consent, consentedAt, consentKeyId, sessionPicture, ...avatar } = toRecord(row);
  return {
    ...avatar,
    consent: { statement: consent, at: consentedAt, keyId: consentKeyId },
    isFromSession: sessionPicture !== null,
  };
}

export const toAvatarRow = ({ consent, isFromSession, ...avatar }: AvatarRecord): Row =>
  toRow({
    ...avatar,
    consent: consent.statement,
    consentedAt: consent.at,
    consentKeyId: consent.keyId,
    sessionPicture: isFromSession ? avatar.pictureHash : null,
  });

/** Hashes of the blobs that the row refers to. */
export const toBlobs = (row: Row): string[] =>
  [row.picture_hash, row.background_hash, row.bundle_hash, row.portrait_hash].filter(
    (hash) => hash !== null,
  );
