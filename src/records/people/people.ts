import { newRecordId } from '#shared/ids.ts';
import { isDuplicate, type Database } from '../engine/database.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from '../engine/pages.ts';

export const ROLES = ['owner', 'builder', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Someone who signs in to the console. Administrators are people too: operators without an account. */
export type PersonRecord = {
  id: string;
  /** Null: an operator without an account. */
  accountId: string | null;
  /** In the account. */
  role: Role | null;
  /** Since when the person is an operator of the installation. Null: never. */
  operatorSince: number | null;
  name: string;
  passwordHash: string | null;
  openidSubject: string | null;
  createdAt: number;
  lastSignInAt: number | null;
};

type NewPerson = Pick<PersonRecord, 'accountId' | 'role' | 'operatorSince' | 'name' | 'createdAt'> &
  Partial<Pick<PersonRecord, 'passwordHash' | 'openidSubject'>> & {
    /** Default: a new one. */
    id?: string;
  };
type PersonChange = Partial<
  Pick<PersonRecord, 'name' | 'passwordHash' | 'openidSubject' | 'role' | 'lastSignInAt'>
>;

export interface PersonRecords {
  /** Null if the id or the name is taken, also by an administrator. */
  add(person: NewPerson): Promise<PersonRecord | null>;
  find(id: string): Promise<PersonRecord | null>;
  findByName(name: string): Promise<PersonRecord | null>;
  findBySubject(subject: string): Promise<PersonRecord | null>;
  page(accountId: string, request: PageRequest): Promise<Page<PersonRecord>>;
  /** `taken`: someone else has the name. Null if there is no such person. */
  change(id: string, change: PersonChange): Promise<PersonRecord | 'taken' | null>;
  remove(id: string): Promise<boolean>;
  /** Locks them until the transaction ends, so that two requests cannot remove the last two. */
  owners(accountId: string): Promise<string[]>;
  /** Whether anyone can prove who they are, by a password or an OpenID provider. */
  hasSecured(): Promise<boolean>;
}

const columns = [
  'id',
  'account_id as accountId',
  'role',
  'operator_since as operatorSince',
  'name',
  'password_hash as passwordHash',
  'openid_subject as openidSubject',
  'created_at as createdAt',
  'last_sign_in_at as lastSignInAt',
] as const;

export function personRecords(db: Database, lists: Lists): PersonRecords {
  const select = () => db.selectFrom('people').select(columns);
  // Few are created, so `created_at` orders them.
  const listed = db
    .selectFrom('people')
    .select([...columns, 'created_at as listed_at'])
    .as('listed');
  const admins = () =>
    db
      .selectFrom('admins')
      .select([
        'id',
        'name',
        'password_hash as passwordHash',
        'created_at as createdAt',
        'last_sign_in_at as lastSignInAt',
      ]);
  const find = async (id: string) =>
    (await select().where('id', '=', id).executeTakeFirst()) ??
    toPerson(await admins().where('id', '=', id).executeTakeFirst());
  const findByName = async (name: string) =>
    (await select().where('name', '=', name).executeTakeFirst()) ??
    toPerson(await admins().where('name', '=', name).executeTakeFirst());

  return {
    find,
    findByName,

    async add({ id = newRecordId(), ...person }) {
      if (await findByName(person.name)) return null;
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('people')
        .values({
          id,
          account_id: person.accountId,
          role: person.role,
          operator_since: person.operatorSince,
          name: person.name,
          password_hash: person.passwordHash ?? null,
          openid_subject: person.openidSubject ?? null,
          created_at: person.createdAt,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 0n ? null : find(id);
    },

    async findBySubject(subject) {
      return (await select().where('openid_subject', '=', subject).executeTakeFirst()) ?? null;
    },

    page: (accountId, request) =>
      lists.page(`people/${accountId}`, request, (after, count) =>
        db
          .selectFrom(listed)
          .selectAll()
          .where('accountId', '=', accountId)
          .where(isAfter(after))
          .orderBy(newestFirst)
          .limit(count)
          .execute(),
      ),

    async change(id, { name, passwordHash, openidSubject, role, lastSignInAt }) {
      // Two tables hold names, so no index refuses all duplicates.
      const namesake = name === undefined ? null : await findByName(name);
      if (namesake && namesake.id !== id) return 'taken';
      const both = {
        // An update without columns is not valid SQL.
        id,
        ...(name !== undefined && { name }),
        ...(lastSignInAt !== undefined && { last_sign_in_at: lastSignInAt }),
      };
      try {
        await db
          .updateTable('people')
          .set({
            ...both,
            ...(passwordHash !== undefined && { password_hash: passwordHash }),
            ...(openidSubject !== undefined && { openid_subject: openidSubject }),
            ...(role !== undefined && { role }),
          })
          .where('id', '=', id)
          .execute();
        await db
          .updateTable('admins')
          .set({ ...both, ...(passwordHash && { password_hash: passwordHash }) })
          .where('id', '=', id)
          .execute();
      } catch (error) {
        if (isDuplicate(error)) return 'taken';
        throw error;
      }
      return find(id);
    },

    async remove(id) {
      const { numDeletedRows } = await db
        .deleteFrom('people')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },

    async owners(accountId) {
      // An update takes the lock in both databases.
      const rows = await db
        .updateTable('people')
        .set({ role: 'owner' })
        .where('account_id', '=', accountId)
        .where('role', '=', 'owner')
        .returning('id')
        .execute();
      return rows.map(({ id }) => id);
    },

    async hasSecured() {
      const person = await db
        .selectFrom('people')
        .select('id')
        .where((row) =>
          row.or([row('password_hash', 'is not', null), row('openid_subject', 'is not', null)]),
        )
        .limit(1)
        .executeTakeFirst();
      const admin = await db.selectFrom('admins').select('id').limit(1).executeTakeFirst();
      return person !== undefined || admin !== undefined;
    },
  };
}

const toPerson = (admin: AdminRow | undefined): PersonRecord | null =>
  admin
    ? {
        ...admin,
        accountId: null,
        role: null,
        operatorSince: admin.createdAt,
        openidSubject: null,
      }
    : null;

type AdminRow = Pick<PersonRecord, 'id' | 'name' | 'createdAt' | 'lastSignInAt'> & {
  passwordHash: string;
};
