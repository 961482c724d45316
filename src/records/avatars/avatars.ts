/* The accounts' own avatars. Their builds are in `avatar-builds.ts`. */
import { Fault } from '../../errors.ts';
import { toAvatar, toAvatarRow, toBlobs, type AvatarRecord } from './avatar-row.ts';
import {
  checkBytes,
  checkCount,
  checkCountInTurn,
  countOf,
  lockAccount,
  NO_LIMITS,
  type StorageLimits,
} from '../engine/account-limits.ts';
import { isDuplicate, type Database, type Transaction } from '../engine/database.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from '../engine/pages.ts';
import { MAX_NAMED_AGENTS, refuseIfUsed, transactReferences } from '../engine/references.ts';
import { transact } from '../engine/transact.ts';
import { isLive } from '../sessions/session-queries.ts';

export type { AvatarRecord, Consent } from './avatar-row.ts';

export type NewAvatar = Pick<
  AvatarRecord,
  | 'id'
  | 'accountId'
  | 'name'
  | 'background'
  | 'consent'
  | 'pictureHash'
  | 'backgroundHash'
  | 'isFromSession'
  | 'createdAt'
>;

export interface AvatarRecords {
  /**
   * Null if the account already has an avatar of this session picture. Throws `conflict` beyond the
   * limits of the account.
   */
  insert(avatar: NewAvatar, limits?: StorageLimits): Promise<AvatarRecord | null>;
  /** Throws `conflict` if one more avatar with pictures of so many bytes exceeds the limits. */
  checkRoom(accountId: string, bytes: number, limits: StorageLimits): Promise<void>;
  find(accountId: string, id: string): Promise<AvatarRecord | null>;
  /** Ignores the owner. */
  get(id: string): Promise<AvatarRecord | null>;
  /** Most recent first. */
  page(accountId: string, request: PageRequest): Promise<Page<AvatarRecord>>;
  /** Ready avatars, most recent first. */
  ready(accountId: string): Promise<AvatarRecord[]>;
  /** The avatar to show for a picture sent with a session; prefers a ready one. */
  findByPicture(accountId: string, pictureHash: string): Promise<AvatarRecord | null>;
  /**
   * Returns the hashes of its blobs; null if there is no such avatar. Throws `conflict` while an
   * agent or a live session uses it.
   */
  delete(accountId: string, id: string): Promise<string[] | null>;
}

const KIND = 'custom avatar';

export function avatarRecords(db: Database, lists: Lists): AvatarRecords {
  const ofAccount = (accountId: string) =>
    db.selectFrom('avatars').selectAll().where('account_id', '=', accountId);

  return {
    async insert(newAvatar, limits = NO_LIMITS) {
      const { createdAt } = newAvatar;
      const avatar: AvatarRecord = {
        ...newAvatar,
        status: 'building',
        reason: null,
        progress: 0,
        bundleHash: null,
        portraitHash: null,
        epoch: 0,
        tries: 0,
        workerId: null,
        claimedUntil: 0,
        queuedAt: createdAt,
        settledAt: null,
      };
      const row = { ...toAvatarRow(avatar), listed_at: lists.next(createdAt) };
      try {
        await transact(db, async (trx) => {
          const { avatars, bytes } = limits;
          if (bytes !== null) await lockAccount(trx, avatar.accountId);
          await checkCountInTurn(trx, 'avatars', avatar.accountId, avatars, KIND);
          await trx.insertInto('avatars').values(row).execute();
          await checkBytes(trx, avatar.accountId, 0, bytes);
        });
      } catch (error) {
        if (isDuplicate(error)) return null;
        throw error;
      }
      return avatar;
    },

    async checkRoom(accountId, bytes, limits) {
      checkCount(await countOf(db, 'avatars', accountId), limits.avatars, KIND);
      await checkBytes(db, accountId, bytes, limits.bytes);
    },

    async find(accountId, id) {
      const row = await ofAccount(accountId).where('id', '=', id).executeTakeFirst();
      return row ? toAvatar(row) : null;
    },

    async get(id) {
      const row = await db
        .selectFrom('avatars')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return row ? toAvatar(row) : null;
    },

    async page(accountId, request) {
      const { data, nextCursor } = await lists.page(
        `avatars/${accountId}`,
        request,
        (position, count) =>
          ofAccount(accountId).where(isAfter(position)).orderBy(newestFirst).limit(count).execute(),
      );
      return { data: data.map(toAvatar), nextCursor };
    },

    async ready(accountId) {
      const rows = await ofAccount(accountId)
        .where('status', '=', 'ready')
        .orderBy(newestFirst)
        .execute();
      return rows.map(toAvatar);
    },

    async findByPicture(accountId, pictureHash) {
      const rows = await ofAccount(accountId)
        .where('picture_hash', '=', pictureHash)
        .orderBy(newestFirst)
        .execute();
      const avatars = rows.map(toAvatar);
      const best = avatars.find(({ status }) => status === 'ready');
      // An unready avatar made through the API may have another background; wait only for the
      // session's own.
      return best ?? avatars.find(({ isFromSession }) => isFromSession) ?? null;
    },

    async delete(accountId, id) {
      return transactReferences(db, async (trx) => {
        refuseIfUsed(
          await trx
            .selectFrom('agents')
            .select('id')
            .where('account_id', '=', accountId)
            .where('avatar_id', '=', id)
            .limit(MAX_NAMED_AGENTS)
            .execute(),
        );
        await refuseIfLive(trx, accountId, id);
        const row = await trx
          .deleteFrom('avatars')
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        return row ? toBlobs(row) : null;
      });
    },
  };
}

async function refuseIfLive(trx: Transaction, accountId: string, id: string) {
  const session = await trx
    .selectFrom('sessions')
    .select('id')
    .where('account_id', '=', accountId)
    .where('avatar_id', '=', id)
    .where(isLive)
    .executeTakeFirst();
  if (!session) return;
  const detail = 'A live session uses this avatar. End the session first.';
  throw new Fault('conflict', { detail, about: { session_id: session.id } });
}
