/*
 * Turns an uploaded picture into an avatar to build. Checks only the file here; a worker looks for
 * the face.
 */
import type { Clock } from '#shared/clock.ts';
import { newRecordId } from '#shared/ids.ts';
import { PICTURE_PROBLEMS } from '#protocol/picture-problems.ts';
import { Fault } from '../errors.ts';
import type { AvatarBuildRecords } from '../records/avatar-builds.ts';
import type { AvatarRecord, AvatarRecords, Consent } from '../records/avatars.ts';
import { hashOf, type Blobs } from '../records/blobs.ts';
import { isBrokenReference } from '../records/engine/database.ts';

export const MAX_PICTURE_BYTES = 16 * 1024 ** 2;

/** A session's picture that failed to build is tried again after this time. */
const RETRY_FAILED_MS = 3_600_000;

type Enrolment = {
  accountId: string;
  name: string;
  picture: Uint8Array;
  /** `blur`, a colour `#rrggbb`, or a picture. */
  background: string | Uint8Array;
  consent: Omit<Consent, 'at'>;
  /** Custom avatars that the account may have; null: unlimited. */
  max: number | null;
};

type EnrolmentsParts = {
  records: Pick<AvatarRecords, 'insert' | 'findByPicture'> & Pick<AvatarBuildRecords, 'queueAgain'>;
  blobs: Pick<Blobs, 'put'>;
  clock: Pick<Clock, 'now'>;
  /** Called when an avatar waits for a worker. */
  onQueued: () => void;
};

export class Enrolments {
  readonly #parts: EnrolmentsParts;

  constructor(parts: EnrolmentsParts) {
    this.#parts = parts;
  }

  /**
   * Throws `invalid_parameter` if the bytes are not a picture, `too_large`, or `conflict` beyond
   * `max`.
   */
  async begin(enrolment: Enrolment): Promise<AvatarRecord> {
    const avatar = await this.#insert(enrolment, false);
    if (!avatar) throw new Error('the avatar exists');
    return avatar;
  }

  /**
   * The avatar of a picture sent with a session, in any state. Starts the build if the picture is
   * new or failed a while ago. Throws like `begin`.
   */
  async ofSession(enrolment: Enrolment): Promise<AvatarRecord> {
    const { records, clock, onQueued } = this.#parts;
    const { accountId, picture } = enrolment;
    const find = () => records.findByPicture(accountId, hashOf(picture));
    const known = await find();
    // A concurrent request may insert first; use its avatar.
    if (!known) return (await this.#insert(enrolment, true)) ?? (await find()) ?? gone();
    const mayRetry = (known.settledAt ?? 0) <= clock.now() - RETRY_FAILED_MS;
    if (known.status !== 'failed' || !mayRetry) return known;
    await records.queueAgain(known.id, clock.now());
    onQueued();
    return (await find()) ?? known;
  }

  /** Null if the account already has an avatar of this session picture. */
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
      // The picture's blob was deleted with another avatar after `put`; store it again.
      if (isBrokenReference(error)) return insert();
      throw error;
    });
    if (avatar) onQueued();
    return avatar;
  }
}

function gone(): never {
  throw new Fault('conflict', { detail: 'The avatar was deleted just now.' });
}

/** `field` names the rejected field in the fault. */
function checkPicture(field: string, picture: Uint8Array): void {
  const about = { field };
  if (picture.length > MAX_PICTURE_BYTES) {
    const detail = `A picture may have at most ${MAX_PICTURE_BYTES / 1024 ** 2} MiB.`;
    throw new Fault('too_large', { detail, about });
  }
  if (!isPicture(Buffer.from(picture.buffer, picture.byteOffset, Math.min(12, picture.length)))) {
    throw new Fault('invalid_parameter', { detail: PICTURE_PROBLEMS.not_a_picture, about });
  }
}

/** Detects JPEG, PNG and WebP by their first bytes. */
const isPicture = (head: Buffer): boolean =>
  head.toString('latin1', 0, 3) === '\xff\xd8\xff' ||
  head.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n' ||
  (head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP');
