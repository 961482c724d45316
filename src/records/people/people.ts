import { sql, type ExpressionBuilder } from 'kysely';
import { newRecordId } from '#shared/ids.ts';
import { isDuplicate, type Database } from '../engine/database.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from '../engine/pages.ts';
import type { Tables } from '../engine/tables/tables.ts';

export const ROLES = ['owner', 'builder', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** Someone who signs in to the console. */
export type PersonRecord = {
  id: string;
  /** Null: an operator without an account. */
  accountId: string | null;
  /** In the account. */
  role: Role | null;
  /** Since when the person is an operator of the installation. Null: never. */
  operatorSince: number | null;
  /**
   * Administrators are operators without an account, which the database enforces. They also sign
   * in to the admin API.
   */
  isAdmin: boolean;
  /** Unique among the people of the account, or among those without one. */
  name: string;
  passwordHash: string | null;
  openidSubject: string | null;
  createdAt: number;
  lastSignInAt: number | null;
};

type NewPerson = Pick<PersonRecord, 'accountId' | 'role' | 'operatorSince' | 'name' | 'createdAt'> &
  Partial<Pick<PersonRecord, 'isAdmin' | 'passwordHash' | 'openidSubject'>> & {
    /** Default: a new one. */
    id?: string;
  };
type PersonChange = Partial<
  Pick<PersonRecord, 'name' | 'passwordHash' | 'openidSubject' | 'role' | 'lastSignInAt'>
>;

/** The people of an account, or the administrators. */
export type PersonGroup = { accountId: string } | 'admins';

export interface PersonRecords {
  /** Null if the id is taken, or the name in the account. */
  add(person: NewPerson): Promise<PersonRecord | null>;
  find(id: string): Promise<PersonRecord | null>;
  /** Null if the group has no such person. */
  findMember(group: PersonGroup, id: string): Promise<PersonRecord | null>;
  /** People of all accounts, and those without one. */
  named(name: string): Promise<PersonRecord[]>;
  findAdmin(name: string): Promise<PersonRecord | null>;
  findBySubject(subject: string): Promise<PersonRecord | null>;
  page(group: PersonGroup, request: PageRequest): Promise<Page<PersonRecord>>;
  /** `taken`: someone else in the account has the name. Null if there is no such person. */
  change(id: string, change: PersonChange): Promise<PersonRecord | 'taken' | null>;
  remove(id: string): Promise<boolean>;
  /** Locks them until the transaction ends, so that two requests cannot remove the last two. */
  owners(accountId: string): Promise<string[]>;
  /** Whether anyone can prove who they are, by a password or an OpenID provider. */
  hasSecured(): Promise<boolean>;
}

/** Stands for the account of people without one. */
const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000';

/**
 * `people.name` is unique in the installation, so a namesake is stored with the account behind the
 * name. The separator cannot be part of a name.
 */
const withAccount = (name: string, accountId: string | null): string =>
  `${name}\u001f${accountId ?? NO_ACCOUNT}`;

const SIGN_IN_NAME = sql<string>`coalesce(admin_name,
    replace(name, '\u001f' || coalesce(account_id, '00000000-0000-0000-0000-000000000000'), ''))`;

const columns = [
  'id',
  'account_id as accountId',
  'role',
  'operator_since as operatorSince',
  'admin_name as adminName',
  SIGN_IN_NAME.as('name'),
  'password_hash as passwordHash',
  'openid_subject as openidSubject',
  'created_at as createdAt',
  'last_sign_in_at as lastSignInAt',
] as const;

export function personRecords(db: Database, lists: Lists): PersonRecords {
  const select = () => db.selectFrom('people').select(columns);
  const find = async (id: string) =>
    toPerson(await select().where('id', '=', id).executeTakeFirst());
  const named = async (name: string) =>
    (
      await select().where(SIGN_IN_NAME, '=', name).orderBy('created_at').orderBy('id').execute()
    ).map(personOf);
  /** Null if the account has another person of that name. */
  const nameToStore = async (name: string, accountId: string | null, id: string) => {
    const namesakes = (await named(name)).filter((person) => person.id !== id);
    if (namesakes.some((person) => person.accountId === accountId)) return null;
    const holder = await db
      .selectFrom('people')
      .select('id')
      .where('name', '=', name)
      .where('id', '<>', id)
      .executeTakeFirst();
    return holder ? withAccount(name, accountId) : name;
  };

  return {
    find,
    named,

    async add({ id = newRecordId(), isAdmin = false, ...person }) {
      const { name, accountId } = person;
      const storedName = await nameToStore(name, accountId, id);
      if (storedName === null) return null;
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('people')
        .values({
          id,
          account_id: accountId,
          role: person.role,
          operator_since: person.operatorSince,
          admin_name: isAdmin ? name : null,
          name: storedName,
          password_hash: person.passwordHash ?? null,
          openid_subject: person.openidSubject ?? null,
          created_at: person.createdAt,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 0n ? null : find(id);
    },

    async findMember(group, id) {
      const row = select().where('id', '=', id).where(isIn(group));
      return toPerson(await row.executeTakeFirst());
    },

    async findAdmin(name) {
      return toPerson(await select().where('admin_name', '=', name).executeTakeFirst());
    },

    async findBySubject(subject) {
      // A control plane of the version before may have bound an administrator.
      const row = select().where('openid_subject', '=', subject).where('admin_name', 'is', null);
      return toPerson(await row.executeTakeFirst());
    },

    async page(group, request) {
      const list = group === 'admins' ? group : `people/${group.accountId}`;
      // Few are created, so `created_at` orders them.
      const listed = db
        .selectFrom('people')
        .select([...columns, 'created_at as listed_at'])
        .where(isIn(group))
        .as('listed');
      const { data, nextCursor } = await lists.page(list, request, (position, count) =>
        db
          .selectFrom(listed)
          .selectAll()
          .where(isAfter(position))
          .orderBy(newestFirst)
          .limit(count)
          .execute(),
      );
      return { data: data.map(personOf), nextCursor };
    },

    async change(id, { name, passwordHash, openidSubject, role, lastSignInAt }) {
      const person = await find(id);
      if (!person) return null;
      const storedName =
        name === undefined ? undefined : await nameToStore(name, person.accountId, id);
      if (storedName === null) return 'taken';
      try {
        await db
          .updateTable('people')
          .set({
            // An update without columns is not valid SQL.
            id,
            ...(storedName !== undefined && {
              name: storedName,
              ...(person.isAdmin && { admin_name: name }),
            }),
            ...(passwordHash !== undefined && { password_hash: passwordHash }),
            ...(openidSubject !== undefined && { openid_subject: openidSubject }),
            ...(role !== undefined && { role }),
            ...(lastSignInAt !== undefined && { last_sign_in_at: lastSignInAt }),
          })
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
      return person !== undefined;
    },
  };
}

const isIn = (group: PersonGroup) => (person: ExpressionBuilder<Tables, 'people'>) =>
  group === 'admins'
    ? person('admin_name', 'is not', null)
    : person('account_id', '=', group.accountId);

type Row = Omit<PersonRecord, 'isAdmin'> & { adminName: string | null };

const personOf = ({ adminName, ...person }: Row): PersonRecord => ({
  ...person,
  isAdmin: adminName !== null,
});

const toPerson = (row: Row | undefined): PersonRecord | null => (row ? personOf(row) : null);
