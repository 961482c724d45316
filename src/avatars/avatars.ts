/* All avatars available to an account: the built-in ones and its own. */
import { PICTURE_PROBLEMS, type PictureProblem } from '#protocol/pictures/picture-problems.ts';
import { nearNames } from '#shared/nearest-name.ts';
import { Fault } from '../errors.ts';
import type { AvatarRecord, AvatarRecords } from '../records/avatars/avatars.ts';
import type { Blobs } from '../records/blobs.ts';
import type { BuiltInAvatar, BuiltInAvatars } from './built-in-avatars.ts';
import type { Page, PageRequest } from '../records/engine/pages.ts';

/** An avatar that can perform. `bundleHash` names its bundle's blob; null for a built-in avatar. */
export type Avatar = { id: string; name: string; bundleHash: string | null };

/** A built-in avatar, or one of the account's own in any state. */
export type AnyAvatar = BuiltInAvatar | AvatarRecord;

export const isOwn = (avatar: AnyAvatar): avatar is AvatarRecord => 'status' in avatar;

export interface Avatars {
  /** Throws `not_found`, or `forbidden` for a built-in avatar reserved for other accounts. */
  find(accountId: string, idOrAlias: string): Promise<AnyAvatar>;
  /** Like `find`, but throws `conflict` if the avatar is not ready. */
  performing(accountId: string, idOrAlias: string): Promise<Avatar>;
  /** Built-in avatars first, then the account's own, most recent first. */
  page(accountId: string, request: PageRequest): Promise<Page<AnyAvatar>>;
  /** All ready avatars, in the same order. */
  allPerforming(accountId: string): Promise<AnyAvatar[]>;
  /** The first built-in avatar, used when none is named. */
  usual(accountId: string): BuiltInAvatar | null;
  /** The built-in voice that fits the face; null: the default. */
  voiceOf(avatarId: string): string | null;
  /** The avatar's still picture; null if it has none yet. */
  picture(idOrAlias: string): Promise<{ file: string } | { bytes: Uint8Array } | null>;
}

/** Upper bound, to limit the work for a wrong name. */
const MOST_COMPARED = 50;

type AvatarsParts = { builtIn: BuiltInAvatars; records: AvatarRecords; blobs: Blobs };

export function createAvatars({ builtIn, records, blobs }: AvatarsParts): Avatars {
  const find: Avatars['find'] = async (accountId, idOrAlias) => {
    const avatar = builtIn.find(accountId, idOrAlias) ?? (await records.find(accountId, idOrAlias));
    if (!avatar) throw await unknown(accountId, idOrAlias);
    return avatar;
  };
  const unknown = async (accountId: string, idOrAlias: string): Promise<Fault> => {
    const customAvatars = await records.page(accountId, { limit: MOST_COMPARED });
    const idOf = new Map(customAvatars.data.map(({ id, name }) => [name, id]));
    const near = nearNames(idOrAlias, [...builtIn.names(accountId), ...idOf.keys()]);
    const nearest = near.map((name) => idOf.get(name) ?? name);
    return new Fault('not_found', {
      advice: `${nearest.length > 0 ? `Avatars with near names: ${nearest.join(', ')}. ` : ''}GET /v1/avatars lists all.`,
      about: { avatar_id: idOrAlias, ...(nearest.length > 0 && { nearest }) },
    });
  };

  return {
    find,

    async performing(accountId, idOrAlias) {
      const avatar = await find(accountId, idOrAlias);
      if (!isOwn(avatar)) return { ...avatar, bundleHash: null };
      return toPerforming(avatar);
    },

    async page(accountId, { limit, cursor }) {
      const builtInList = builtIn.list(accountId);
      const start = cursor ? placeAfter(builtInList, cursor) : 0;
      // The cursor points into the account's own avatars.
      if (start === null) return records.page(accountId, { limit, cursor });
      const builtInPage = builtInList.slice(start, start + limit);
      const remaining = limit - builtInPage.length;
      const customPage = await records.page(accountId, { limit: Math.max(remaining, 1) });
      if (remaining > 0)
        return { data: [...builtInPage, ...customPage.data], nextCursor: customPage.nextCursor };
      const isLast = start + limit >= builtInList.length && customPage.data.length === 0;
      return { data: builtInPage, nextCursor: isLast ? null : cursorAfter(builtInPage) };
    },

    async allPerforming(accountId) {
      return [...builtIn.list(accountId), ...(await records.ready(accountId))];
    },

    usual: (accountId) => builtIn.list(accountId)[0] ?? null,

    voiceOf: (avatarId) => builtIn.all().find(({ id }) => id === avatarId)?.voice ?? null,

    async picture(idOrAlias) {
      const file = builtIn.pictureFile(idOrAlias);
      if (file !== null) return { file };
      const avatar = await records.get(idOrAlias);
      const bytes = avatar?.portraitHash ? await blobs.read(avatar.portraitHash) : null;
      return bytes && { bytes };
    },
  };
}

export function toPerforming(avatar: AvatarRecord): Avatar {
  const { id, name, bundleHash } = avatar;
  if (bundleHash !== null) return { id, name, bundleHash };
  const detail =
    avatar.status === 'building'
      ? 'This avatar is still being built. Wait until it is ready.'
      : `This avatar could not be built. ${adviceOf(avatar)}`;
  throw new Fault('conflict', { detail, about: { avatar_id: id } });
}

/** Tells the owner how to fix a failed avatar. */
export const adviceOf = ({ reason }: Pick<AvatarRecord, 'reason'>): string =>
  PICTURE_PROBLEMS[reason as PictureProblem];

const cursorAfter = (page: BuiltInAvatar[]): string | null =>
  Buffer.from(page.at(-1)?.id ?? '').toString('base64url');

/** Null if the cursor does not belong to this list. */
function placeAfter(avatars: BuiltInAvatar[], cursor: string): number | null {
  const id = Buffer.from(cursor, 'base64url').toString();
  const place = avatars.findIndex((avatar) => avatar.id === id);
  return place < 0 ? null : place + 1;
}
