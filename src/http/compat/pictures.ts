import type { Account } from '../../accounts/account.ts';
import { adviceOf, toPerforming, type Avatar } from '../../avatars/avatars.ts';
import { PictureUnreachable } from '../../avatars/fetch-picture.ts';
import { Fault } from '../../errors.ts';
import { FormFile } from '../bodies/form.ts';
import type { Services } from '../services.ts';
import { enrolledBy } from '../avatars/avatar-routes.ts';

/** `outcome` is reported in a response header. */
type PictureFound = { avatar: Avatar | null; outcome: string };

/**
 * Avatars from pictures that come with a session. The first request with a picture starts the
 * build, which outlasts the start of the session, so a later session uses the avatar. Requires the
 * account's statement of consent.
 */
export class VendorPictures {
  readonly #services: Pick<Services, 'enrolments' | 'fetchPicture'>;

  constructor(services: Pick<Services, 'enrolments' | 'fetchPicture'>) {
    this.#services = services;
  }

  /**
   * `picture` is a form file, an address or base64 text. An unusable picture does not fail the
   * session.
   */
  async find(account: Account, vendorName: string, picture: unknown): Promise<PictureFound> {
    const { pictureConsent: statement } = account;
    if (statement === null) return notUsed('this account has not stated consent to pictures');
    try {
      const avatar = await this.#services.enrolments.ofSession({
        ...enrolledBy(account),
        name: `Picture of a ${vendorName} session`,
        picture: await this.#read(picture),
        background: 'blur',
        consent: { statement, keyId: null },
      });
      if (avatar.status === 'failed') return notUsed(adviceOf(avatar));
      if (avatar.status === 'building') {
        return { avatar: null, outcome: 'building; it performs once it is ready' };
      }
      return { avatar: toPerforming(avatar), outcome: 'used' };
    } catch (error) {
      if (error instanceof Fault || error instanceof PictureUnreachable) {
        return notUsed(error.message);
      }
      throw error;
    }
  }

  async #read(picture: unknown): Promise<Uint8Array> {
    if (picture instanceof FormFile) return picture.bytes;
    const text = String(picture);
    if (/^https?:\/\//i.test(text)) return this.#services.fetchPicture(text);
    return Buffer.from(text.replace(/^data:[^,]*,/, ''), 'base64');
  }
}

/** A header holds ASCII only. */
const notUsed = (why: string): PictureFound => ({
  avatar: null,
  outcome: `not used; ${why.replace(/[^\x20-\x7e]/g, '?')}`,
});
