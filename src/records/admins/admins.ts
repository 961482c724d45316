import { newRecordId } from '#shared/ids.ts';
import { isDuplicate, type Database } from '../engine/database.ts';
import { isAfter, newestFirst, type Lists, type Page, type PageRequest } from '../engine/pages.ts';

/** An administrator of the installation. */
export type AdminRecord = {
  id: string;
  name: string;
  passwordHash: string;
  createdAt: number;
  lastSignInAt: number | null;
};

type NewAdmin = Pick<AdminRecord, 'name' | 'passwordHash' | 'createdAt'>;
type AdminChange = Partial<Pick<AdminRecord, 'name' | 'passwordHash' | 'lastSignInAt'>>;

export interface AdminRecords {
  /** Null if the name is taken, also by a person. */
  add(admin: NewAdmin): Promise<AdminRecord | null>;
  find(id: string): Promise<AdminRecord | null>;
  findByName(name: string): Promise<AdminRecord | null>;
  page(request: PageRequest): Promise<Page<AdminRecord>>;
  /** `taken`: someone else has the name. Null if there is no such administrator. */
  change(id: string, change: AdminChange): Promise<AdminRecord | 'taken' | null>;
  /** False if there is no such administrator. */
  remove(id: string): Promise<boolean>;
}

const columns = [
  'id',
  'name',
  'password_hash as passwordHash',
  'created_at as createdAt',
  'last_sign_in_at as lastSignInAt',
] as const;

export function adminRecords(db: Database, lists: Lists): AdminRecords {
  const select = () => db.selectFrom('admins').select(columns);
  // Few are created, so `created_at` orders them.
  const listed = db
    .selectFrom('admins')
    .select([...columns, 'created_at as listed_at'])
    .as('listed');
  const find = async (id: string) =>
    (await select().where('id', '=', id).executeTakeFirst()) ?? null;
  // Both sign in to the console by name.
  const isOfPerson = async (name: string) =>
    (await db.selectFrom('people').select('id').where('name', '=', name).executeTakeFirst()) !==
    undefined;

  return {
    find,

    async add({ name, passwordHash, createdAt }) {
      if (await isOfPerson(name)) return null;
      const id = newRecordId();
      try {
        await db
          .insertInto('admins')
          .values({ id, name, password_hash: passwordHash, created_at: createdAt })
          .execute();
      } catch (error) {
        if (isDuplicate(error)) return null;
        throw error;
      }
      return { id, name, passwordHash, createdAt, lastSignInAt: null };
    },

    async findByName(name) {
      return (await select().where('name', '=', name).executeTakeFirst()) ?? null;
    },

    page: (request) =>
      lists.page('admins', request, (after, count) =>
        db
          .selectFrom(listed)
          .selectAll()
          .where(isAfter(after))
          .orderBy(newestFirst)
          .limit(count)
          .execute(),
      ),

    async change(id, { name, passwordHash, lastSignInAt }) {
      if (name !== undefined && (await isOfPerson(name))) return 'taken';
      try {
        await db
          .updateTable('admins')
          .set({
            // An update without columns is not valid SQL.
            id,
            ...(name !== undefined && { name }),
            ...(passwordHash !== undefined && { password_hash: passwordHash }),
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
        .deleteFrom('admins')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}
