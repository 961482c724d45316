import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { PersonRecord } from '../../records/people/people.ts';

const PREFIX = 'troupe_admin_';

type Signer = Pick<PersonRecord, 'id' | 'passwordHash'>;
type Claims = { adminId: string; expiresAt: number; signature: string };

/**
 * Tokens of administrators who have signed in. None is stored: the signature covers the password's
 * hash, so a new password ends all sign-ins, at every control plane.
 */
export class AdminTokens {
  readonly #key: Buffer;

  /** `secret`: of the installation. */
  constructor(secret: Buffer) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'admin sign-ins', 32));
  }

  issue(admin: Signer, expiresAt: number): string {
    return `${PREFIX}${admin.id}.${expiresAt}.${this.#sign(admin, expiresAt)}`;
  }

  /** Null for text of another form. Check it with `isValid`. */
  read(text: string): Claims | null {
    if (!text.startsWith(PREFIX)) return null;
    const [adminId = '', expires = '', signature = ''] = text.slice(PREFIX.length).split('.');
    return { adminId, expiresAt: Number(expires), signature };
  }

  isValid(claims: Claims, admin: Signer, now: number): boolean {
    const expected = Buffer.from(this.#sign(admin, claims.expiresAt));
    const signature = Buffer.from(claims.signature);
    return (
      signature.length === expected.length &&
      timingSafeEqual(signature, expected) &&
      now < claims.expiresAt
    );
  }

  #sign({ id, passwordHash }: Signer, expiresAt: number): string {
    return createHmac('sha256', this.#key)
      .update(`${id}\n${expiresAt}\n${passwordHash}`)
      .digest('base64url');
  }
}
