import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { IDLE_MS, LIFETIME_MS, SignIns } from '../../../src/accounts/people/sign-ins.ts';
import { accountRecords } from '../../../src/records/accounts/accounts.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { personRecords } from '../../../src/records/people/people.ts';
import { signInRecords } from '../../../src/records/people/sign-ins.ts';
import { newPlace, type Place } from '../../support/records/database.ts';
import { TestClock } from '../../support/test-clock.ts';

let place: Place;
let db: Database;
let clock: TestClock;
let signIns: SignIns;
beforeEach(async () => {
  place = await newPlace();
  db = place.open();
  clock = new TestClock();
  signIns = new SignIns({ ...records(), clock });
});
afterEach(async () => {
  await db.destroy();
  await place.remove();
});

const records = () => ({
  accounts: accountRecords(db),
  people: personRecords(db, new Lists(Buffer.alloc(32))),
  signIns: signInRecords(db),
});

async function begin(): Promise<string> {
  const { accounts, people } = records();
  const { id: accountId } = await accounts.first(clock.now());
  const name = 'Ada';
  const [namesake] = await people.named(name);
  const person =
    namesake ??
    (await people.add({
      name,
      accountId,
      role: 'owner',
      operatorSince: null,
      createdAt: clock.now(),
    }));
  const browser = { address: '203.0.113.1', userAgent: 'x'.repeat(1_000) };
  return (await signIns.begin(person!, browser, records())).token;
}

describe('a sign-in', () => {
  test('ends after twelve hours without use', async () => {
    const [idle, used] = [await begin(), await begin()];
    clock.advance(IDLE_MS - 60_000);
    const renewed = await signIns.find(used);
    clock.advance(60_000);

    expect(await signIns.find(idle)).toBeNull();
    expect(renewed).toMatchObject({ account: { name: 'first' } });
    expect((await signIns.find(renewed!.newToken!))?.signIn.userAgent).toHaveLength(300);
  });

  test('ends after a week, however often it is used and replaced', async () => {
    let token = await begin();
    for (let ms = 0; ms + IDLE_MS / 2 < LIFETIME_MS; ms += IDLE_MS / 2) {
      clock.advance(IDLE_MS / 2);
      const renewed = await signIns.find(token);
      expect(renewed?.newToken).not.toBeNull();
      token = renewed!.newToken!;
    }
    const signedIn = (await signIns.find(token))!;
    clock.advance(IDLE_MS / 2);

    expect(await signIns.find(token)).toBeNull();
    expect(await signIns.refresh(signedIn.signIn)).toBeNull();
  });

  test('that has ended is deleted with the next one', async () => {
    const old = await begin();
    clock.advance(LIFETIME_MS + 1);
    await begin();

    const rows = await db.selectFrom('sign_ins').select('id').execute();
    expect(rows).toHaveLength(1);
    expect(await signIns.find(old)).toBeNull();
  });
});
