import type { Account } from '../../accounts/account.ts';
import { adviceOf, toPerforming, type Avatar } from '../../avatars/avatars.ts';
import type { Enrolments } from '../../avatars/enrolment.ts';
import { PictureUnreachable, type FetchPicture } from '../../avatars/fetch-picture.ts';
import { Fault } from '../../errors.ts';
import { enrolledBy } from '../routes/avatars.ts';

export type VendorPicturesParts = {
  enrolments: Pick<Enrolments, 'ofSession'>;
  fetchPicture: FetchPicture;
};

/** `said`: what became of the picture, for the answer's header. */
export type PictureFound = { avatar: Avatar | null; said: string };

/**
 * The face of a picture that comes with a session. It is built when it is seen for the first time, which takes longer than a session waits: it
 * performs from one of the next sessions on. Only in accounts whose owner has stated that the pictured agree.
 */
export class VendorPictures {
  readonly #parts: VendorPicturesParts;

  constructor(parts: VendorPicturesParts) {
    this.#parts = parts;
  }

  /** `given`: a file of a form, or the text of an address or of base64. A picture that is no good ends no session. */
  async find(account: Account, door: string, given: unknown): Promise<PictureFound> {
    const { pictureConsent: statement } = account;
    if (statement === null) return notUsed('this account has not stated consent to pictures');
    try {
      const avatar = await this.#parts.enrolments.ofSession({
        ...enrolledBy(account),
        name: `Picture of a ${door} session`,
        picture: await this.#read(given),
        background: 'blur',
        consent: { statement, keyId: null },
      });
      if (avatar.status === 'failed') return notUsed(adviceOf(avatar));
      if (avatar.status === 'building') {
        return { avatar: null, said: 'building; it performs once it is ready' };
      }
      return { avatar: toPerforming(avatar), said: 'used' };
    } catch (error) {
      if (error instanceof Fault || error instanceof PictureUnreachable) {
        return notUsed(error.message);
      }
      throw error;
    }
  }

  async #read(given: unknown): Promise<Uint8Array> {
    if (given instanceof File) return new Uint8Array(await given.arrayBuffer());
    const text = String(given);
    if (/^https?:\/\//i.test(text)) return this.#parts.fetchPicture(text);
    return Buffer.from(text.replace(/^data:[^,]*,/, ''), 'base64');
  }
}

/** A header holds ASCII only. */
const notUsed = (why: string): PictureFound => ({
  avatar: null,
  said: `not used; ${why.replace(/[^\x20-\x7e]/g, '?')}`,
});
