import { expect, test } from 'vitest';
import { RequestJournal, type JournalEntry } from '../../../src/http/requests/request-journal.ts';
import { TestClock } from '../../support/test-clock.ts';

const entry = (clock: TestClock, fields: Partial<JournalEntry> = {}): JournalEntry => ({
  id: 'a request',
  at: clock.now(),
  method: 'POST',
  path: '/v1/agents',
  route: '/v1/agents',
  status: 200,
  durationMs: 1,
  keyId: null,
  personId: null,
  requestBody: 'x'.repeat(4_096),
  responseBody: 'x'.repeat(4_096),
  ...fields,
});

test('long bodies of many accounts push out the accounts that were quiet for longest', async () => {
  const clock = new TestClock();
  const journal = new RequestJournal(clock, null);
  for (let i = 0; i < 20; i += 1)
    for (let j = 0; j < 300; j += 1) journal.add(`account ${i}`, entry(clock));

  // 16 Mi characters are 2048 entries: seven accounts do not fit.
  expect(await journal.of('account 13')).toEqual([]);
  expect(await journal.of('account 14')).toHaveLength(300);
  expect(await journal.of('account 19')).toHaveLength(300);

  clock.advance(3_600_000);
  journal.add('account 14', entry(clock));
  expect(await journal.of('account 14')).toHaveLength(1);
  // Those that are over make room.
  for (let i = 0; i < 6; i += 1)
    for (let j = 0; j < 300; j += 1) journal.add(`later ${i}`, entry(clock));
  expect(await journal.of('later 0')).toHaveLength(300);
  expect(await journal.of('account 14')).toHaveLength(1);
});
