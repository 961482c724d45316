import type { Account } from '../../accounts/account.ts';
import type { Avatar, Avatars } from '../../avatars/avatars.ts';
import { Fault } from '../../errors.ts';

export type VendorAvatarOptions = {
  /** `<door>:<their id>=<avatar>`, separated by commas. */
  mapped?: string | undefined;
  /** Who performs when nobody here is meant. */
  usual?: string | undefined;
};

export type Chosen = {
  avatar: Avatar;
  /** The request named nobody whom we know. */ isUsual: boolean;
};

/** Whom a door's request means. Ids of other vendors, from code that nobody changed, find the avatar that they are mapped to, else the usual one. */
export class VendorAvatars {
  readonly #avatars: Pick<Avatars, 'performing' | 'usual'>;
  readonly #mapped: ReadonlyMap<string, string>;
  readonly #usual: string | undefined;

  constructor(
    avatars: Pick<Avatars, 'performing' | 'usual'>,
    { mapped, usual }: VendorAvatarOptions,
  ) {
    this.#avatars = avatars;
    this.#usual = usual;
    this.#mapped = new Map(
      (mapped?.split(',') ?? []).map((entry) => {
        const [theirs = '', ours = ''] = entry.split('=').map((part) => part.trim());
        return [theirs, ours] as const;
      }),
    );
  }

  async choose(account: Account, door: string, names: readonly string[]): Promise<Chosen> {
    for (const name of names) {
      const avatar = await this.#find(account, this.#mapped.get(`${door}:${name}`) ?? name);
      if (avatar) return { avatar, isUsual: false };
    }
    const usual = this.#usual ?? this.#avatars.usual(account.id)?.id;
    if (usual === undefined) throw new Fault('not_found');
    return { avatar: await this.#avatars.performing(account.id, usual), isUsual: true };
  }

  /** One that is kept for other accounts is refused, as everywhere. */
  async #find(account: Account, name: string): Promise<Avatar | null> {
    try {
      return await this.#avatars.performing(account.id, name);
    } catch (error) {
      if (error instanceof Fault && error.fault === 'not_found') return null;
      throw error;
    }
  }
}
