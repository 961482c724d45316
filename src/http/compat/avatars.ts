import type { Account } from '../../accounts/account.ts';
import type { Avatar, Avatars } from '../../avatars/avatars.ts';
import { Fault } from '../../errors.ts';

export type VendorAvatarOptions = {
  /** `<vendor>:<vendor's id>=<avatar>`, separated by commas. */
  mapped?: string | undefined;
  /** Fallback avatar. */
  usual?: string | undefined;
};

export type Chosen = {
  avatar: Avatar;
  /** The request named no known avatar. */
  isFallback: boolean;
};

/**
 * Chooses the avatar of a vendor request: by id, by a mapped id of the vendor, else the fallback
 * avatar.
 */
export class VendorAvatars {
  readonly #avatars: Pick<Avatars, 'performing' | 'usual'>;
  readonly #mapped: ReadonlyMap<string, string>;
  readonly #fallback: string | undefined;

  constructor(
    avatars: Pick<Avatars, 'performing' | 'usual'>,
    { mapped, usual }: VendorAvatarOptions,
  ) {
    this.#avatars = avatars;
    this.#fallback = usual;
    this.#mapped = new Map(
      (mapped?.split(',') ?? []).map((entry) => {
        const [vendorName = '', avatarId = ''] = entry.split('=').map((part) => part.trim());
        return [vendorName, avatarId] as const;
      }),
    );
  }

  async choose(account: Account, vendor: string, names: readonly string[]): Promise<Chosen> {
    for (const name of names) {
      const avatar = await this.#find(account, this.#mapped.get(`${vendor}:${name}`) ?? name);
      if (avatar) return { avatar, isFallback: false };
    }
    const fallback = this.#fallback ?? this.#avatars.usual(account.id)?.id;
    if (fallback === undefined) throw new Fault('not_found');
    return { avatar: await this.#avatars.performing(account.id, fallback), isFallback: true };
  }

  /** Throws for an avatar reserved for other accounts. */
  async #find(account: Account, name: string): Promise<Avatar | null> {
    try {
      return await this.#avatars.performing(account.id, name);
    } catch (error) {
      if (error instanceof Fault && error.fault === 'not_found') return null;
      throw error;
    }
  }
}
