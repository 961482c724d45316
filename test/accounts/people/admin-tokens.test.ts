import { describe, expect, test } from 'vitest';
import { AdminTokens } from '../../../src/accounts/people/admin-tokens.ts';

const tokens = new AdminTokens(Buffer.alloc(32, 1));
const ada = { id: 'ada', passwordHash: 'hash-1' };

const isValid = (text: string, admin = ada, now = 0, by = tokens) => {
  const claims = by.read(text);
  return claims !== null && by.isValid(claims, admin, now);
};

describe('a sign-in token', () => {
  test('is valid until it expires', () => {
    const token = tokens.issue(ada, 1_000);

    expect(tokens.read(token)?.adminId).toBe('ada');
    expect([isValid(token, ada, 999), isValid(token, ada, 1_000)]).toEqual([true, false]);
  });

  test('is valid for its administrator and password only', () => {
    const token = tokens.issue(ada, 1_000);

    expect(isValid(token, { ...ada, passwordHash: 'hash-2' })).toBe(false);
    expect(isValid(token, { ...ada, id: 'bob' })).toBe(false);
  });

  test('cannot be changed or made with another secret', () => {
    const token = tokens.issue(ada, 1_000);

    expect(isValid(token.replace('.1000.', '.9000.'), ada)).toBe(false);
    expect(isValid(token.slice(0, -1), ada)).toBe(false);
    expect(isValid(`${token}x`, ada)).toBe(false);
    expect(isValid(new AdminTokens(Buffer.alloc(32, 2)).issue(ada, 1_000))).toBe(false);
  });

  test.each(['', 'a password of the operator', 'troupe_admin_', 'troupe_admin_ada..'])(
    'is never valid without its parts: %o',
    (text) => {
      expect(isValid(text)).toBe(false);
    },
  );
});
