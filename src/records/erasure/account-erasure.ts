/*
 * Deletes an account with everything that belongs to it, step by step. The receipt stays. Keys are
 * revoked and people removed first; live sessions must end by themselves or be ended. The audit log
 * keeps who did what, without the states, which hold the account's data.
 */
import type { Database, Transaction } from '../engine/database.ts';
import { transact } from '../engine/transact.ts';
import { eraseCalls, eraseSessions, isOver } from './conversations.ts';
import { addErased, totalOf, type Erased } from './erased.ts';

export type AccountDeletion = {
  accountId: string;
  requestedAt: number;
  deleted: Erased;
  /** Null while it runs. */
  completedAt: number | null;
};

type Step = {
  /** Blobs of deleted avatars. */
  blobs: string[];
  /** `waiting`: only live sessions are left. */
  state: 'running' | 'waiting' | 'completed';
};

export interface AccountErasure {
  /** Revokes the keys. A repeated request changes nothing. Null if there is no such account. */
  begin(accountId: string, now: number): Promise<AccountDeletion | null>;
  find(accountId: string): Promise<AccountDeletion | null>;
  /** Accounts whose deletion has begun and is not complete. */
  pending(): Promise<string[]>;
  /** Deletes up to `count` rows of one kind. */
  step(accountId: string, count: number, now: number): Promise<Step>;
}

export function accountErasure(db: Database): AccountErasure {
  const find = async (accountId: string): Promise<AccountDeletion | null> => {
    const row = await db
      .selectFrom('account_deletions')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (!row) return null;
    return {
      accountId: row.account_id,
      requestedAt: row.requested_at,
      deleted: JSON.parse(row.deleted) as Erased,
      completedAt: row.completed_at,
    };
  };

  return {
    find,

    async begin(accountId, now) {
      await transact(db, async (trx) => {
        const account = await trx
          .selectFrom('accounts')
          .select('id')
          .where('id', '=', accountId)
          .executeTakeFirst();
        if (!account) return;
        await trx
          .insertInto('account_deletions')
          .values({ account_id: accountId, requested_at: now, deleted: '{}', completed_at: null })
          .onConflict((conflict) => conflict.column('account_id').doNothing())
          .execute();
        await trx
          .updateTable('api_keys')
          .set({ revoked_at: now })
          .where('account_id', '=', accountId)
          .where('revoked_at', 'is', null)
          .execute();
        await removePeople(trx, accountId);
      });
      return find(accountId);
    },

    async pending() {
      const rows = await db
        .selectFrom('account_deletions')
        .select('account_id')
        .where('completed_at', 'is', null)
        .execute();
      return rows.map(({ account_id: id }) => id);
    },

    async step(accountId, count, now) {
      return db.transaction().execute(async (trx) => {
        const { erased, blobs, state } = await eraseNext(trx, { accountId, count, now });
        const { deleted } = await trx
          .selectFrom('account_deletions')
          .select('deleted')
          .where('account_id', '=', accountId)
          .executeTakeFirstOrThrow();
        const sum = addErased(JSON.parse(deleted) as Erased, erased);
        await trx
          .updateTable('account_deletions')
          .set({
            deleted: JSON.stringify(sum),
            completed_at: state === 'completed' ? now : null,
          })
          .where('account_id', '=', accountId)
          .execute();
        return { blobs, state };
      });
    },
  };
}

/** Also removes their sign-ins, and the domains by which others would join. */
async function removePeople(trx: Transaction, accountId: string): Promise<void> {
  await trx
    .deleteFrom('sign_ins')
    .where('person_id', 'in', (people) =>
      people.selectFrom('people').select('id').where('account_id', '=', accountId),
    )
    .execute();
  await trx.deleteFrom('people').where('account_id', '=', accountId).execute();
  await trx.deleteFrom('account_domains').where('account_id', '=', accountId).execute();
}

type Batch = { accountId: string; count: number; now: number };
/** `isEmpty` is false if rows without a number in the receipt were found. */
type Erasing = { erased: Erased; blobs?: string[]; isEmpty?: boolean };

/**
 * In this order: agents before what they refer to, and before the calls that visitors could still
 * open with them; webhooks last of what reports to them.
 */
const kinds: ((trx: Transaction, batch: Batch) => Promise<Erasing>)[] = [
  agents,
  plain('external_apis', 'external_apis'),
  plain('knowledge_files', 'knowledge_files'),
  avatars,
  async (trx, batch) => {
    const ids = await overIds(trx, 'calls', batch);
    return { erased: await eraseCalls(trx, batch.accountId, ids, batch.now) };
  },
  async (trx, batch) => {
    const ids = await overIds(trx, 'sessions', batch);
    return { erased: await eraseSessions(trx, batch.accountId, ids, batch.now) };
  },
  plain('events', 'events'),
  webhooks,
  replies,
  auditStates,
];

async function eraseNext(trx: Transaction, batch: Batch): Promise<Step & { erased: Erased }> {
  for (const erase of kinds) {
    const { erased, blobs = [], isEmpty = true } = await erase(trx, batch);
    if (totalOf(erased) > 0 || !isEmpty) return { erased, blobs, state: 'running' };
  }
  const { accountId } = batch;
  const live = await trx
    .selectFrom('sessions')
    .select('id')
    .where('account_id', '=', accountId)
    .limit(1)
    .executeTakeFirst();
  if (live) return { erased: {}, blobs: [], state: 'waiting' };
  await trx.deleteFrom('deleted_usage').where('account_id', '=', accountId).execute();
  await trx.deleteFrom('person_links').where('account_id', '=', accountId).execute();
  // Invitations worked until now.
  await removePeople(trx, accountId);
  const keys = await trx
    .deleteFrom('api_keys')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  await trx.deleteFrom('accounts').where('id', '=', accountId).execute();
  const erased = addErased({ api_keys: Number(keys.numDeletedRows) }, {});
  return { erased, blobs: [], state: 'completed' };
}

function plain(table: 'external_apis' | 'knowledge_files' | 'events', kind: keyof Erased) {
  return async (trx: Transaction, { accountId, count }: Batch) => {
    const { numDeletedRows } = await trx
      .deleteFrom(table)
      .where('id', 'in', (rows) =>
        rows.selectFrom(table).select('id').where('account_id', '=', accountId).limit(count),
      )
      .executeTakeFirstOrThrow();
    return { erased: { [kind]: Number(numDeletedRows) } };
  };
}

async function overIds(
  trx: Transaction,
  table: 'calls' | 'sessions',
  { accountId, count }: Batch,
): Promise<string[]> {
  const rows = await trx
    .selectFrom(table)
    .select('id')
    .where('account_id', '=', accountId)
    .where(isOver)
    .limit(count)
    .execute();
  return rows.map(({ id }) => id);
}

async function agents(trx: Transaction, { accountId, count }: Batch) {
  const rows = await trx
    .deleteFrom('agents')
    .where('id', 'in', (rows) =>
      rows.selectFrom('agents').select('id').where('account_id', '=', accountId).limit(count),
    )
    .returning('logo_hash')
    .execute();
  const blobs = rows.map(({ logo_hash }) => logo_hash).filter((hash) => hash !== null);
  return { erased: { agents: rows.length }, blobs };
}

async function avatars(trx: Transaction, { accountId, count }: Batch) {
  const rows = await trx
    .deleteFrom('avatars')
    .where('id', 'in', (rows) =>
      rows.selectFrom('avatars').select('id').where('account_id', '=', accountId).limit(count),
    )
    .returning(['picture_hash', 'background_hash', 'bundle_hash', 'portrait_hash'])
    .execute();
  const blobs = rows.flatMap((row) => Object.values(row)).filter((hash) => hash !== null);
  return { erased: { avatars: rows.length }, blobs };
}

async function webhooks(trx: Transaction, { accountId, count }: Batch) {
  const rows = await trx
    .deleteFrom('webhooks')
    .where('id', 'in', (rows) =>
      rows.selectFrom('webhooks').select('id').where('account_id', '=', accountId).limit(count),
    )
    .returning('id')
    .execute();
  return { erased: { webhooks: rows.length } };
}

async function replies(trx: Transaction, { accountId }: Batch) {
  const { numDeletedRows } = await trx
    .deleteFrom('replies')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { erased: { idempotent_replies: Number(numDeletedRows) } };
}

async function auditStates(trx: Transaction, { accountId, count }: Batch) {
  const { numUpdatedRows } = await trx
    .updateTable('audit_entries')
    .set({ before_sealed: null, after_sealed: null })
    .where('id', 'in', (entries) =>
      entries
        .selectFrom('audit_entries')
        .select('id')
        .where('account_id', '=', accountId)
        .where((state) =>
          state.or([state('before_sealed', 'is not', null), state('after_sealed', 'is not', null)]),
        )
        .limit(count),
    )
    .executeTakeFirstOrThrow();
  return { erased: {}, isEmpty: numUpdatedRows === 0n };
}
