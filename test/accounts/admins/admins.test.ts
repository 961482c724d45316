import { expect, test } from 'vitest';
import { Admins } from '../../../src/accounts/admins/admins.ts';
import { Passwords } from '../../../src/accounts/people/passwords.ts';
import type { AdminRecord, AdminRecords } from '../../../src/records/admins/admins.ts';
import { TestClock } from '../../support/test-clock.ts';

/** Hashed at the lowest cost, so that a test can check many. */
const passwordHash = `scrypt$16$1$1$c2FsdA$${Buffer.alloc(32).toString('base64url')}`;
const ada: AdminRecord = { id: '1', name: 'ada', passwordHash, createdAt: 0, lastSignInAt: null };

const refuse = () => Promise.reject(new Error('not expected'));
const records: AdminRecords = {
  add: refuse,
  page: refuse,
  change: refuse,
  remove: refuse,
  find: refuse,
  findByName: async (name) => (name === 'ada' ? ada : null),
};

test('a refused sign-in with an unknown name does not refuse later ones', async () => {
  const passwords = new Passwords();
  const admins = new Admins({
    records,
    secret: Buffer.alloc(32),
    clock: new TestClock(),
    passwords,
  });
  const guesses = Array.from({ length: 20 }, () => admins.authenticate('ada', 'wrong', false));
  const unknown = admins.authenticate('bob', 'wrong', false);
  await expect(unknown).rejects.toMatchObject({ fault: 'rate_limit' });
  await Promise.all(guesses);

  expect(await admins.authenticate('bob', 'wrong', false)).toBeNull();
});
