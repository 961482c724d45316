/* From a picture to an avatar that is being built. What can be said of the picture at once is said here; its face is looked for by a worker. */
import type { Clock } from '#shared/clock.ts';
import { newRecordId } from '#shared/ids.ts';
import { PICTURE_PROBLEMS } from '#protocol/picture-problems.ts';
import { Fault } from '../errors.ts';
import type { AvatarBuildRecords } from '../records/avatar-builds.ts';
import type { AvatarRecord, AvatarRecords, Consent } from '../records/avatars.ts';
import { hashOf, type Blobs } from '../records/blobs.ts';
import { isBrokenReference } from '../records/engine/database.ts';

export const MAX_PICTURE_BYTES = 16 * 1024 ** 2;

/** How long a picture that came with a session and became no avatar is left alone. */
const FAILED_MS = 3_600_000;

export type Enrolment = {
  accountId: string;
  name: string;
  picture: Uint8Array;
  /** `blur`, a colour as `#rrggbb`, or a picture. */
  background: string | Uint8Array;
  consent: Omit<Consent, 'at'>;
  /** How many avatars of its own the account may have; null: any number. */
  max: number | null;
};

export type EnrolmentsParts = {
  records: Pick<AvatarRecords, 'insert' | 'findByPicture'> & Pick<AvatarBuildRecords, 'queueAgain'>;
  blobs: Pick<Blobs, 'put'>;
  clock: Pick<Clock, 'now'>;
  /** An avatar waits for a worker. */
  onQueued: () => void;
};

export class Enrolments {
  readonly #parts: EnrolmentsParts;

  constructor(parts: EnrolmentsParts) {
    this.#parts = parts;
  }

  /** Throws `invalid_parameter` for what is no picture, `too_large`, or `conflict` beyond `max`. */
  async begin(enrolment: Enrolment): Promise<AvatarRecord> {
    const avatar = await this.#insert(enrolment, false);
    if (!avatar) throw new Error('the avatar exists');
    return avatar;
  }

  /**
   * The avatar of a picture that came with a session, in whichever state: begins to build it when it is seen for the first time, or failed a
   * while ago. Throws as `begin`.
   */
  async ofSession(enrolment: Enrolment): Promise<AvatarRecord> {
    const { records, clock, onQueued } = this.#parts;
    const { accountId, picture } = enrolment;
    const find = () => records.findByPicture(accountId, hashOf(picture));
    const known = await find();
    // Two that come together: the second finds the first one's.
    if (!known) return (await this.#insert(enrolment, true)) ?? (await find()) ?? gone();
    const mayTry = (known.settledAt ?? 0) <= clock.now() - FAILED_MS;
    if (known.status !== 'failed' || !mayTry) return known;
    await records.queueAgain(known.id, clock.now());
    onQueued();
    return (await find()) ?? known;
  }

  /** Null when the account has one of this session's picture already. */
  async #insert(
    { accountId, name, picture, background, consent, max }: Enrolment,
    isFromSession: boolean,
  ): Promise<AvatarRecord | null> {
    const { records, blobs, clock, onQueued } = this.#parts;
    checkPicture('picture', picture);
    if (typeof background !== 'string') checkPicture('background', background);
    const insert = async () => {
      const now = clock.now();
      return records.insert(
        {
          id: newRecordId(),
          accountId,
          name,
          ...(typeof background === 'string'
            ? { background, backgroundHash: null }
            : { background: 'blur', backgroundHash: await blobs.put(background, now) }),
          consent: { ...consent, at: now },
          pictureHash: await blobs.put(picture, now),
          isFromSession,
          createdAt: now,
        },
        max,
      );
    };
    const avatar = await insert().catch((error: unknown) => {
      // The picture was there, and went with another avatar in this moment.
      if (isBrokenReference(error)) return insert();
      throw error;
    });
    if (avatar) onQueued();
    return avatar;
  }
}

function gone(): never {
  throw new Fault('conflict', { detail: 'The avatar was deleted in this moment.' });
}

/** `field`: which of the two it is, for the caller. */
function checkPicture(field: string, picture: Uint8Array): void {
  const about = { field };
  if (picture.length > MAX_PICTURE_BYTES) {
    const detail = `A picture has ${MAX_PICTURE_BYTES / 1024 ** 2} MiB at most.`;
    throw new Fault('too_large', { detail, about });
  }
  if (!isPicture(Buffer.from(picture.buffer, picture.byteOffset, Math.min(12, picture.length)))) {
    throw new Fault('invalid_parameter', { detail: PICTURE_PROBLEMS.not_a_picture, about });
  }
}

/** By its first bytes, whatever it is called: JPEG, PNG or WebP. */
const isPicture = (head: Buffer): boolean =>
  head.toString('latin1', 0, 3) === '\xff\xd8\xff' ||
  head.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n' ||
  (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP');
