import { scryptSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hashPassword, matchingHashes } from '../../../src/accounts/people/password-hash.ts';

/** A thousandth of the cost in production. */
const CHEAP = { N: 2 ** 6, r: 8, p: 1 };

const isPassword = async (password: string, hash: string): Promise<boolean> =>
  (await matchingHashes(password, [hash])).has(hash);

describe('a password hash', () => {
  test('fits its password only', async () => {
    const hash = await hashPassword('correct horse battery', CHEAP);

    expect(await isPassword('correct horse battery', hash)).toBe(true);
    expect(await isPassword('correct horse batterx', hash)).toBe(false);
    expect(await isPassword('', hash)).toBe(false);
  });

  test('names the cost for production, which its check can pay', async () => {
    const hash = await hashPassword('the same password');

    expect(hash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(await isPassword('the same password', hash)).toBe(true);
  });

  test('holds neither the password nor the same salt twice', async () => {
    const hashes = [
      await hashPassword('the same password', CHEAP),
      await hashPassword('the same password', CHEAP),
    ];

    expect(hashes[0]).not.toBe(hashes[1]);
    expect(hashes[0]).not.toContain('password');
  });

  test('of another cost is still checked', async () => {
    const salt = Buffer.from('salt');
    const derived = scryptSync('old password', salt, 32, { N: 16, r: 1, p: 1 });
    const old = `scrypt$16$1$1$${salt.toString('base64url')}$${derived.toString('base64url')}`;

    expect(await isPassword('old password', old)).toBe(true);
    expect(await isPassword('new password', old)).toBe(false);
  });

  test('takes the salt of another one of its cost, so that one derivation checks both', async () => {
    const firstHash = await hashPassword('the first password', CHEAP);
    const secondHash = await hashPassword('the second password', CHEAP, firstHash);
    const costlierHash = await hashPassword(
      'the third password',
      { ...CHEAP, N: 2 ** 7 },
      firstHash,
    );

    const [start, otherStart] = [firstHash, secondHash].map((hash) => hash.split('$', 5).join('$'));
    expect(otherStart).toBe(start);
    expect(costlierHash.split('$')[4]).not.toBe(firstHash.split('$')[4]);
    const matches = await matchingHashes('the second password', [
      firstHash,
      secondHash,
      costlierHash,
    ]);
    expect([...matches]).toEqual([secondHash]);
  });

  test('is the same for every way to write a character', async () => {
    const hash = await hashPassword('Zoe\u0308 of Berlin', CHEAP);

    expect(await isPassword('Zo\u00eb of Berlin', hash)).toBe(true);
  });

  test('of an unknown form is an error', async () => {
    await expect(isPassword('x', 'md5$abc')).rejects.toThrow('unknown form');
  });
});
