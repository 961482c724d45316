/* All avatars that an account may use: the built-in ones, and those that it had made. */
import { PICTURE_PROBLEMS, type PictureProblem } from '#protocol/picture-problems.ts';
import { Fault } from '../errors.ts';
import type { AvatarRecord, AvatarRecords } from '../records/avatars.ts';
import type { Blobs } from '../records/blobs.ts';
import type { BuiltInAvatar, BuiltInAvatars } from './built-in-avatars.ts';
import type { Page, PageRequest } from '../records/engine/pages.ts';

/** One that can perform. `bundleHash`: the blob that a worker opens; null for a face that workers have. */
export type Avatar = { id: string; name: string; bundleHash: string | null };

/** One that comes with the software, or one of the account's own in whichever state. */
export type AnyAvatar = BuiltInAvatar | AvatarRecord;

export const isOwn = (avatar: AnyAvatar): avatar is AvatarRecord => 'status' in avatar;

export interface Avatars {
  /** By id, or an alias of a built-in one. Throws `not_found`, or `forbidden` for one that is kept for other accounts. */
  find(accountId: string, idOrAlias: string): Promise<AnyAvatar>;
  /** As `find`, to be shown: throws `conflict` for one that is not ready. */
  performing(accountId: string, idOrAlias: string): Promise<Avatar>;
  /** The built-in ones, then the account's own, most recent first. */
  page(accountId: string, request: PageRequest): Promise<Page<AnyAvatar>>;
  /** All that can perform, in the same order. */
  allPerforming(accountId: string): Promise<AnyAvatar[]>;
  /** The first of the built-in ones. */
  usual(accountId: string): BuiltInAvatar | null;
  /** Its still picture; null while there is none. */
  picture(idOrAlias: string): Promise<{ file: string } | { bytes: Uint8Array } | null>;
}

export type AvatarsParts = { builtIn: BuiltInAvatars; records: AvatarRecords; blobs: Blobs };

export function createAvatars({ builtIn, records, blobs }: AvatarsParts): Avatars {
  const find: Avatars['find'] = async (accountId, idOrAlias) => {
    const known = builtIn.find(accountId, idOrAlias) ?? (await records.find(accountId, idOrAlias));
    if (!known) throw new Fault('not_found', { about: { avatar_id: idOrAlias } });
    return known;
  };

  return {
    find,

    async performing(accountId, idOrAlias) {
      const avatar = await find(accountId, idOrAlias);
      if (!isOwn(avatar)) return { ...avatar, bundleHash: null };
      return toPerforming(avatar);
    },

    async page(accountId, { limit, cursor }) {
      const all = builtIn.list(accountId);
      const start = cursor ? placeAfter(all, cursor) : 0;
      // Not a cursor within the built-in ones: of the others.
      if (start === null) return records.page(accountId, { limit, cursor });
      const shown = all.slice(start, start + limit);
      const room = limit - shown.length;
      const more = await records.page(accountId, { limit: Math.max(room, 1) });
      if (room > 0) return { data: [...shown, ...more.data], nextCursor: more.nextCursor };
      const isLast = start + limit >= all.length && more.data.length === 0;
      return { data: shown, nextCursor: isLast ? null : cursorAfter(shown) };
    },

    async allPerforming(accountId) {
      return [...builtIn.list(accountId), ...(await records.ready(accountId))];
    },

    usual: (accountId) => builtIn.list(accountId)[0] ?? null,

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

/** What its owner can do about one that failed. */
export const adviceOf = ({ reason }: Pick<AvatarRecord, 'reason'>): string =>
  PICTURE_PROBLEMS[reason as PictureProblem];

const cursorAfter = (shown: BuiltInAvatar[]): string | null =>
  Buffer.from(shown.at(-1)?.id ?? '').toString('base64url');

/** Null when the cursor is of another list. */
function placeAfter(all: BuiltInAvatar[], cursor: string): number | null {
  const id = Buffer.from(cursor, 'base64url').toString();
  const place = all.findIndex((avatar) => avatar.id === id);
  return place < 0 ? null : place + 1;
}
