import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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
  await migrate(db, '0030-spending');
});
afterEach(async () => {
  await db.destroy();
  await place.remove();
});

const people = () => personRecords(db, new Lists(Buffer.alloc(32)));
const add = (name: string, accountId: string | null) =>
  people().add({ name, accountId, role: 'owner', operatorSince: null, createdAt: 1 });
const accountsOf = async (name: string) =>
  (await people().named(name)).map(({ accountId }) => accountId);

/** Statements of the version before. */
const older = {
  add: (id: string, name: string, subject: string | null = null) =>
    sql`insert into people (id, account_id, role, name, openid_subject, created_at)
      values (${id}, ${`account of ${id}`}, 'owner', ${name}, ${subject}, 0)`.execute(db),
  rename: (id: string, name: string) =>
    sql`update people set name = ${name} where id = ${id}`.execute(db),
  named: async (name: string) =>
    (await sql<{ id: string }>`select id from people where name = ${name}`.execute(db)).rows,
};

describe('people of the version before', () => {
  test('keep their names and their identities at the OpenID provider', async () => {
    await older.add('a', 'ada', 'https://accounts.example 7');

    await migrate(db);

    expect(await people().findBySubject('https://accounts.example 7')).toMatchObject({
      id: 'a',
      name: 'ada',
    });
    expect(await accountsOf('ada')).toEqual(['account of a']);
  });

  test('leave their names to people of other accounts', async () => {
    await older.add('a', 'ada');
    await migrate(db);

    const namesake = await add('ada', 'account of b');

    expect(namesake).toMatchObject({ name: 'ada', accountId: 'account of b' });
    expect(await add('ada', 'account of b')).toBeNull();
    expect(await add('ada', 'account of a')).toBeNull();
    expect(await add('ada', null)).toMatchObject({ name: 'ada', accountId: null });
    expect(await accountsOf('ada')).toEqual(['account of a', 'account of b', null]);
    await people().change(namesake!.id, { name: 'zoe' });
    expect(await accountsOf('ada')).toEqual(['account of a', null]);
    expect(await accountsOf('zoe')).toEqual(['account of b']);
  });
});

test('a control plane of the version before, beside this one, finds and renames its people', async () => {
  await older.add('a', 'ada');
  await migrate(db);
  await add('ada', 'account of b');
  const oldNamesakes = await older.named('ada');
  await older.rename('a', 'zoe');

  expect(oldNamesakes).toEqual([{ id: 'a' }]);
  expect(await accountsOf('zoe')).toEqual(['account of a']);
  expect(await accountsOf('ada')).toEqual(['account of b']);
});
