import { expect, test } from 'vitest';
import { Passwords } from '../../../src/accounts/people/passwords.ts';
import { People } from '../../../src/accounts/people/people.ts';
import type { PersonRecord } from '../../../src/records/people/people.ts';
import { TestClock } from '../../support/test-clock.ts';

const ada: PersonRecord = {
  id: '1',
  accountId: null,
  role: null,
  operatorSince: 0,
  isAdmin: true,
  name: 'ada',
  /** Hashed at the lowest cost, so that a test can check many. */
  passwordHash: `scrypt$16$1$1$c2FsdA$${Buffer.alloc(32).toString('base64url')}`,
  openidSubject: null,
  createdAt: 0,
  lastSignInAt: null,
};

const refuse = () => Promise.reject(new Error('not expected'));

test('a refused sign-in with an unknown name does not refuse later ones', async () => {
  const people = new People({
    people: { find: refuse, named: refuse, hasSecured: refuse },
    apiKeys: { findLive: refuse },
    personLinks: { findByHash: refuse },
    passwords: new Passwords(),
    clock: new TestClock(),
  });
  const signIn = (namesakes: PersonRecord[]) => people.withPassword(namesakes, 'wrong');
  const guesses = Array.from({ length: 20 }, () => signIn([ada]));
  await expect(signIn([])).rejects.toMatchObject({ fault: 'rate_limit' });
  await Promise.all(guesses);

  expect(await signIn([])).toEqual([]);
});
