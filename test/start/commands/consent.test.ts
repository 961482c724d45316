import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountRecords } from '../../../src/records/accounts/accounts.ts';
import { consent } from '../../../src/start/commands/consent.ts';
import { newPlace, type Place } from '../../support/records/database.ts';
import { call, runProgram } from './run-command.ts';

let place: Place;
beforeEach(async () => {
  place = await newPlace();
});
afterEach(() => place.remove());

async function stated(): Promise<string | null> {
  const database = place.open();
  const { pictureConsent } = await accountRecords(database).first(0);
  await database.destroy();
  return pictureConsent;
}

describe('npm run consent', () => {
  test('records consent and withdraws it', async () => {
    const statement = ['--statement', 'Everybody agrees.'];
    const outcome = await runProgram('consent', statement, place.env);
    expect(outcome).toMatchObject({ stderr: '', status: 0 });
    expect(outcome.stdout).toContain('from now on');
    expect(await stated()).toBe('Everybody agrees.');

    const { stdout } = await call(consent, ['--withdraw'], place.env);
    expect(stdout).toContain('no longer used');
    expect(await stated()).toBeNull();
  });

  test.each([[[]], [['--statement', ' ']], [['--statement', 'a', '--withdraw']]])(
    'requires exactly one of --statement and --withdraw: %j',
    async (args) => {
      expect((await call(consent, args, place.env)).status).toBe(2);
    },
  );
});
