import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { accountRecords } from '../../../src/records/accounts.ts';
import { newPlace, type Place } from '../../support/records/database.ts';

let place: Place;
beforeEach(async () => {
  place = await newPlace();
});
afterEach(() => place.remove());

const run = async (...args: string[]) => {
  const env = { ...process.env, ...place.env };
  return (
    await promisify(execFile)(process.execPath, ['src/start/commands/consent.ts', ...args], { env })
  ).stdout;
};

async function stated(): Promise<string | null> {
  const database = place.open();
  const { pictureConsent } = await accountRecords(database).first(0);
  await database.destroy();
  return pictureConsent;
}

describe('npm run consent', () => {
  test('records consent and withdraws it', async () => {
    expect(await run('--statement', 'Everybody agrees.')).toContain('from now on');
    expect(await stated()).toBe('Everybody agrees.');

    expect(await run('--withdraw')).toContain('no longer used');
    expect(await stated()).toBeNull();
  });

  test.each([[[]], [['--statement', ' ']], [['--statement', 'a', '--withdraw']]])(
    'requires exactly one of --statement and --withdraw: %j',
    async (args) => {
      await expect(run(...args)).rejects.toMatchObject({ code: 2 });
    },
  );
});
