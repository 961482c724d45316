/*
 * Turns an uploaded picture into an avatar to build. Checks only the file here; a worker looks for
 * the face.
 */
import type { Clock } from '#shared/clock.ts';
import { newRecordId } from '#shared/ids.ts';
import { recognize } from '#protocol/pictures/picture-kinds.ts';
import { PICTURE_PROBLEMS } from '#protocol/pictures/picture-problems.ts';
import { Fault } from '../errors.ts';
import type { AvatarBuildRecords } from '../records/avatars/avatar-builds.ts';
import type { AvatarRecord, AvatarRecords, Consent } from '../records/avatars/avatars.ts';
import { hashOf, type Blobs } from '../records/blobs.ts';
import type { StorageLimits } from '../records/engine/account-limits.ts';
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
  limits: StorageLimits;
};

/** Runs `insert` on the records and returns what it returns. */
type CommitEnrolment = (
  insert: (records: Pick<AvatarRecords, 'insert'>) => Promise<AvatarRecord | null>,
) => Promise<AvatarRecord | null>;

type EnrolmentsParts = {
  records: Pick<AvatarRecords, 'checkRoom' | 'insert' | 'findByPicture'> &
    Pick<AvatarBuildRecords, 'queueAgain'>;
  blobs: Pick<Blobs, 'put' | 'release'>;
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
   * Throws `invalid_parameter` if the bytes are not a picture, `too_large`, `storage_full`, or
   * `conflict` beyond the limits of the account. A refused picture is not kept. `commit` runs the
   * change, perhaps in a transaction.
   */
  async begin(
    enrolment: Enrolment,
    commit: CommitEnrolment = (insert) => insert(this.#parts.records),
  ): Promise<AvatarRecord> {
    const avatar = await this.#insert(enrolment, false, commit);
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
    const avatar = await find();
    // A concurrent request may insert first; use its avatar.
    const commit: CommitEnrolment = (insert) => insert(records);
    if (!avatar) return (await this.#insert(enrolment, true, commit)) ?? (await find()) ?? gone();
    const mayRetry = (avatar.settledAt ?? 0) <= clock.now() - RETRY_FAILED_MS;
    if (avatar.status !== 'failed' || !mayRetry) return avatar;
    await records.queueAgain(avatar.id, clock.now());
    onQueued();
    return (await find()) ?? avatar;
  }

  /** Null if the account already has an avatar of this session picture. */
  async #insert(
    enrolment: Enrolment,
    isFromSession: boolean,
    commit: CommitEnrolment,
  ): Promise<AvatarRecord | null> {
    const { records, onQueued } = this.#parts;
    const { accountId, picture, background, limits } = enrolment;
    checkPicture('picture', picture);
    const pictures = [picture];
    if (typeof background !== 'string') {
      checkPicture('background', background);
      pictures.push(background);
    }
    const bytes = pictures.reduce((sum, { length }) => sum + length, 0);
    await records.checkRoom(accountId, bytes, limits);
    const insert = () => this.#insertWithBlobs(enrolment, isFromSession, pictures, commit);
    const avatar = await insert().catch((error: unknown) => {
      // The picture's blob was deleted with another avatar after `put`; store it again.
      if (isBrokenReference(error)) return insert();
      throw error;
    });
    if (avatar) onQueued();
    return avatar;
  }

  async #insertWithBlobs(
    { accountId, name, background, consent, limits }: Enrolment,
    isFromSession: boolean,
    pictures: Uint8Array[],
    commit: CommitEnrolment,
  ): Promise<AvatarRecord | null> {
    const { blobs, clock } = this.#parts;
    const now = clock.now();
    let avatar: AvatarRecord | null = null;
    try {
      const [pictureHash, backgroundHash] = await putAll(blobs, pictures, now);
      const fields = {
        id: newRecordId(),
        accountId,
        name,
        background: typeof background === 'string' ? background : 'blur',
        backgroundHash: backgroundHash ?? null,
        consent: { ...consent, at: now },
        pictureHash: pictureHash!,
        isFromSession,
        createdAt: now,
      };
      avatar = await commit((records) => records.insert(fields, limits));
      return avatar;
    } finally {
      if (!avatar) await blobs.release(pictures.map(hashOf));
    }
  }
}

async function putAll(blobs: Pick<Blobs, 'put'>, pictures: Uint8Array[], now: number) {
  const hashes: string[] = [];
  for (const picture of pictures) hashes.push(await blobs.put(picture, now));
  return hashes;
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
  const recognized = recognize(picture);
  if ('problem' in recognized) {
    throw new Fault('invalid_parameter', { detail: PICTURE_PROBLEMS[recognized.problem], about });
  }
}
