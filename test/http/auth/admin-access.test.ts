import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

/** Begins as the token of a sign-in does. */
const PASSWORD = 'troupe_admin_and_more';
const REQUESTS_PER_MINUTE = 2;

let service: BuiltApp;
beforeAll(async () => {
  const limit = String(REQUESTS_PER_MINUTE);
  service = await buildApp({
    slots: 0,
    env: { TROUPE_ADMIN_PASSWORD: PASSWORD, REQUESTS_PER_MINUTE: limit },
  });
});
afterAll(() => service.close());

const statusWith = async (text: string): Promise<number> => {
  const headers = { authorization: `Bearer ${text}` };
  return (await service.app.server.inject({ url: '/admin/accounts', headers })).statusCode;
};

describe('access to the admin API', () => {
  test('is given by a shared password that looks like a sign-in', async () => {
    expect(await statusWith(PASSWORD)).toBe(200);
  });

  test('is limited by address for invalid sign-ins, as for unknown API keys', async () => {
    const statuses: number[] = [];
    for (let i = 0; i <= 5 * REQUESTS_PER_MINUTE; i += 1) {
      statuses.push(await statusWith(`troupe_admin_nobody.9999999999999.${i}`));
    }

    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([401]));
    expect(statuses.at(-1)).toBe(429);
    expect(await statusWith(PASSWORD)).toBe(200);
  });
});
