import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { Database } from '../../../src/records/engine/database.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { migrate } from '../../../src/records/migrations/migrate.ts';
import { personRecords } from '../../../src/records/people/people.ts';
import { newPlace, type Place } from '../../support/records/database.ts';

let place: Place;
let db: Database;
beforeEach(async () => {
  place = await newPlace({ isBare: true });
  db = place.open();
  await migrate(db, '0027-metric-history');
});
afterEach(async () => {
  await db.destroy();
  await place.remove();
});

const people = () => personRecords(db, new Lists(Buffer.alloc(32)));
const names = async () =>
  (await people().page('admins', { limit: 50 })).data.map(({ name }) => name).sort();

/** Statements of the version before. */
const older = {
  add: (id: string, name: string) =>
    sql`insert into admins (id, name, password_hash, created_at)
      values (${id}, ${name}, ${`hash of ${id}`}, 7)`.execute(db),
  rename: (id: string, name: string) =>
    sql`update admins set name = ${name} where id = ${id}`.execute(db),
  setPassword: (id: string, hash: string) =>
    sql`update admins set id = ${id}, password_hash = ${hash} where id = ${id}`.execute(db),
  signIn: async (id: string, now: number) => {
    await sql`update people set last_sign_in_at = ${now} where id = ${id}`.execute(db);
    await sql`update admins set last_sign_in_at = ${now} where id = ${id}`.execute(db);
  },
  remove: (id: string) => sql`delete from admins where id = ${id}`.execute(db),
  rows: async () =>
    (
      await sql<object>`select id, name, password_hash, last_sign_in_at from admins order by id`.execute(
        db,
      )
    ).rows,
};
const addOwner = (name: string) =>
  sql`insert into people (id, account_id, role, name, created_at)
    values (${`owner ${name}`}, 'account', 'owner', ${name}, 1)`.execute(db);

describe('administrators of the version before', () => {
  test('are operators without an account, with their passwords and sign-ins', async () => {
    await older.add('a', 'ada');
    await older.signIn('a', 9);

    await migrate(db);

    const ada = {
      id: 'a',
      accountId: null,
      role: null,
      operatorSince: 7,
      isAdmin: true,
      name: 'ada',
      passwordHash: 'hash of a',
      openidSubject: null,
      createdAt: 7,
      lastSignInAt: 9,
    };
    expect(await people().find('a')).toEqual(ada);
    expect(await people().findAdmin('ada')).toEqual(ada);
    expect((await people().page({ accountId: 'account' }, { limit: 50 })).data).toEqual([]);
  });

  test('keep a name that a person of an account has', async () => {
    await older.add('a', 'ada');
    await addOwner('ada');

    await migrate(db);

    expect(await people().findAdmin('ada')).toMatchObject({ id: 'a', name: 'ada' });
    expect(await people().named('ada')).toMatchObject([
      { id: 'owner ada', isAdmin: false },
      { id: 'a', isAdmin: true },
    ]);
  });
});

describe('a control plane of the version before, beside this one', () => {
  beforeEach(async () => {
    await migrate(db);
  });

  test('adds, changes and removes administrators for both', async () => {
    await older.add('a', 'ada');
    await older.add('b', 'bob');
    await older.rename('a', 'zoe');
    await older.setPassword('a', 'new hash');
    await older.signIn('a', 9);
    await older.remove('b');

    expect(await names()).toEqual(['zoe']);
    expect(await people().named('zoe')).toMatchObject([
      { passwordHash: 'new hash', lastSignInAt: 9 },
    ]);
    expect(await people().named('ada')).toEqual([]);
    expect(await people().find('b')).toBeNull();
  });

  test('sees what this one adds, changes and removes', async () => {
    const ada = await addAdmin('ada');
    const bob = await addAdmin('bob');
    await people().change(ada.id, { name: 'zoe', passwordHash: 'new hash', lastSignInAt: 9 });
    await people().remove(bob.id);

    expect(await older.rows()).toEqual([
      { id: ada.id, name: 'zoe', password_hash: 'new hash', last_sign_in_at: 9 },
    ]);
  });

  test('may give an administrator the name of a person, as before', async () => {
    await addOwner('ada');
    await older.add('a', 'ada');
    await addOwner('bob');
    await older.rename('a', 'bob');

    expect(await people().findAdmin('bob')).toMatchObject({ id: 'a', name: 'bob' });
    expect(await people().named('bob')).toMatchObject([{ id: 'owner bob' }, { id: 'a' }]);
  });

  test('leaves people of accounts alone', async () => {
    await addOwner('ada');
    await people().change('owner ada', { passwordHash: 'hash' });
    await older.remove('owner ada');

    expect(await older.rows()).toEqual([]);
    expect(await people().find('owner ada')).not.toBeNull();
  });
});

test('no person of an account becomes an administrator, whatever program writes it', async () => {
  await migrate(db);
  await addOwner('ada');

  await expect(
    sql`update people set admin_name = 'ada' where id = 'owner ada'`.execute(db),
  ).rejects.toThrow(/check/i);
  expect(await older.rows()).toEqual([]);
});

async function addAdmin(name: string) {
  const admin = await people().add({
    accountId: null,
    role: null,
    operatorSince: 7,
    isAdmin: true,
    name,
    passwordHash: 'hash',
    createdAt: 7,
  });
  return admin!;
}
