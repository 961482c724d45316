import { newRecordId } from '#shared/ids.ts';
import type { Database } from '../engine/database.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from '../engine/pages.ts';
import type { Role } from './people.ts';

/** Rights that an invitation gives. `name`: null if the invited person chooses it. */
export type Grants = { role: Role | null; isOperator: boolean; name: string | null };

/** Whose rights a link passes on. */
export type LinkMaker = { type: 'key' | 'person'; id: string };

/** A link is refused once one of these has ended. Links of older versions have neither. */
type LinkTies = {
  /** Null: a program on the machine, or the shared admin password. */
  maker?: LinkMaker | null;
  /** Tag of the password that the person had when the link was made. */
  passwordTag?: string;
};

/** A link that works once. */
export type PersonLinkRecord = {
  id: string;
  accountId: string | null;
  /** Person of a sign-in link. Null for an invitation. */
  personId: string | null;
  grants: Grants & LinkTies;
  createdAt: number;
  expiresAt: number;
};

type NewLink = Omit<PersonLinkRecord, 'id'> & {
  /** SHA-256 of the code in hex. */
  hash: string;
};

export interface PersonLinkRecords {
  add(link: NewLink): Promise<PersonLinkRecord>;
  /** Ignores used and expired links. */
  findByHash(hash: string, now: number): Promise<PersonLinkRecord | null>;
  /** Null if the link is unknown, used or expired, also by a request at the same time. */
  use(hash: string, now: number): Promise<PersonLinkRecord | null>;
  /** Open invitations of the account, most recent first. */
  invitations(
    accountId: string,
    now: number,
    request: PageRequest,
  ): Promise<Page<PersonLinkRecord>>;
  /** False if the account has no such open invitation. */
  remove(accountId: string, id: string): Promise<boolean>;
  removeExpired(cutoff: number): Promise<void>;
}

const columns = [
  'id',
  'account_id as accountId',
  'person_id as personId',
  'grants',
  'created_at as createdAt',
  'expires_at as expiresAt',
] as const;

export function personLinkRecords(db: Database, lists: Lists): PersonLinkRecords {
  // Few are created, so `created_at` orders them.
  const listed = db
    .selectFrom('person_links')
    .select([...columns, 'used_at as usedAt', 'created_at as listed_at'])
    .as('listed');

  return {
    async add({ hash, ...link }) {
      const id = newRecordId();
      await db
        .insertInto('person_links')
        .values({
          id,
          hash,
          account_id: link.accountId,
          person_id: link.personId,
          grants: JSON.stringify(link.grants),
          created_at: link.createdAt,
          expires_at: link.expiresAt,
        })
        .execute();
      return { id, ...link };
    },

    async findByHash(hash, now) {
      const row = await db
        .selectFrom('person_links')
        .select(columns)
        .where('hash', '=', hash)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row ? toLink(row) : null;
    },

    async use(hash, now) {
      const row = await db
        .updateTable('person_links')
        .set({ used_at: now })
        .where('hash', '=', hash)
        .where('used_at', 'is', null)
        .where('expires_at', '>', now)
        .returning(columns)
        .executeTakeFirst();
      return row ? toLink(row) : null;
    },

    async invitations(accountId, now, request) {
      const { data, nextCursor } = await lists.page(
        `invitations/${accountId}`,
        request,
        (position, count) =>
          db
            .selectFrom(listed)
            .selectAll()
            .where('accountId', '=', accountId)
            .where('personId', 'is', null)
            .where('usedAt', 'is', null)
            .where('expiresAt', '>', now)
            .where(isAfter(position))
            .orderBy(newestFirst)
            .limit(count)
            .execute(),
      );
      return { data: data.map(toLink), nextCursor };
    },

    async remove(accountId, id) {
      const { numDeletedRows } = await db
        .deleteFrom('person_links')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('person_id', 'is', null)
        .where('used_at', 'is', null)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },

    async removeExpired(cutoff) {
      await db.deleteFrom('person_links').where('expires_at', '<', cutoff).execute();
    },
  };
}

const toLink = <Row extends { grants: string }>({ grants, ...row }: Row) => ({
  ...row,
  grants: JSON.parse(grants) as Grants,
});
