/* The avatars that accounts had made; what becomes of one that is being built is in `avatar-builds.ts`. */
import { Fault } from '../errors.ts';
import { toAvatar, toBlobs, type AvatarRecord } from './avatar-row.ts';
import { isDuplicate, type Database, type Transaction } from './engine/database.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from './engine/pages.ts';
import { MAX_NAMED_AGENTS, refuseIfUsed, transactReferences } from './engine/references.ts';
import { isLive } from './sessions/session-queries.ts';

export type { AvatarRecord, AvatarStatus, Consent } from './avatar-row.ts';

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
  /** Throws `conflict` when the account has `max` of them (null: any number). Null when it has one of this session's picture already. */
  insert(avatar: NewAvatar, max: number | null): Promise<AvatarRecord | null>;
  find(accountId: string, id: string): Promise<AvatarRecord | null>;
  /** Of whatever account. */
  get(id: string): Promise<AvatarRecord | null>;
  /** Most recent first. */
  page(accountId: string, request: PageRequest): Promise<Page<AvatarRecord>>;
  /** Those that can perform, most recent first. */
  ready(accountId: string): Promise<AvatarRecord[]>;
  /** The one to be shown for a picture: a ready one before one that is not. */
  findByPicture(accountId: string, pictureHash: string): Promise<AvatarRecord | null>;
  /** What it was made of and from; null when there is none. Throws `conflict` while an agent refers to it or a session shows it. */
  delete(accountId: string, id: string): Promise<string[] | null>;
}

export function avatarRecords(db: Database, lists: Lists): AvatarRecords {
  const ofAccount = (accountId: string) =>
    db.selectFrom('avatars').selectAll().where('account_id', '=', accountId);

  return {
    async insert(avatar, max) {
      const { consent, isFromSession } = avatar;
      const row = {
        id: avatar.id,
        account_id: avatar.accountId,
        name: avatar.name,
        status: 'building' as const,
        reason: null,
        progress: 0,
        background: avatar.background,
        consent: consent.statement,
        consented_at: consent.at,
        consent_key_id: consent.keyId,
        picture_hash: avatar.pictureHash,
        background_hash: avatar.backgroundHash,
        bundle_hash: null,
        portrait_hash: null,
        session_picture: isFromSession ? avatar.pictureHash : null,
        epoch: 0,
        tries: 0,
        worker_id: null,
        claimed_until: 0,
        queued_at: avatar.createdAt,
        settled_at: null,
        created_at: avatar.createdAt,
        listed_at: lists.next(avatar.createdAt),
      };
      try {
        await db.transaction().execute(async (trx) => {
          await refuseBeyond(trx, avatar.accountId, max);
          await trx.insertInto('avatars').values(row).execute();
        });
      } catch (error) {
        if (isDuplicate(error)) return null;
        throw error;
      }
      return toAvatar(row);
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
        (after, count) =>
          ofAccount(accountId).where(isAfter(after)).orderBy(newestFirst).limit(count).execute(),
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
      // Of those that are not ready only its own: what else an account does with the picture may have another background.
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
        await refuseIfShown(trx, accountId, id);
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

/** The account's row is locked until the transaction ends, so two that come together are counted one after the other. */
async function refuseBeyond(trx: Transaction, accountId: string, max: number | null) {
  if (max === null) return;
  await trx.updateTable('accounts').set({ id: accountId }).where('id', '=', accountId).execute();
  const { count } = await trx
    .selectFrom('avatars')
    .select((select) => select.fn.countAll().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (Number(count) < max) return;
  const room = `${max} ${max === 1 ? 'avatar' : 'avatars'}`;
  const detail = `Your plan has room for ${room} of your own. Delete one first, or upgrade your plan.`;
  throw new Fault('conflict', { detail });
}

async function refuseIfShown(trx: Transaction, accountId: string, id: string) {
  const session = await trx
    .selectFrom('sessions')
    .select('id')
    .where('account_id', '=', accountId)
    .where('avatar_id', '=', id)
    .where(isLive)
    .executeTakeFirst();
  if (!session) return;
  const detail = 'A session shows it. End the session first.';
  throw new Fault('conflict', { detail, about: { session_id: session.id } });
}
