import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/records/engine/database.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { personRecords } from '../../../src/records/people/people.ts';
import { newPlace, type Place } from '../../support/records/database.ts';

let place: Place;
let db: Database;
beforeEach(async () => {
  place = await newPlace();
  db = place.open();
});
afterEach(async () => {
  await db.destroy();
  await place.remove();
});

describe('records of people', () => {
  test('find an operator by an OpenID identity, and never an administrator', async () => {
    const people = personRecords(db, new Lists(Buffer.alloc(32)));
    const operator = {
      accountId: null,
      role: null,
      operatorSince: 1,
      passwordHash: 'a hash',
      createdAt: 1,
    };
    await people.add({ ...operator, name: 'ada', openidSubject: 'subject of ada' });
    // As a control plane of the version before may have stored it.
    await people.add({ ...operator, name: 'bob', openidSubject: 'subject of bob', isAdmin: true });

    expect((await people.findBySubject('subject of ada'))?.name).toBe('ada');
    expect(await people.findBySubject('subject of bob')).toBeNull();
  });
});
