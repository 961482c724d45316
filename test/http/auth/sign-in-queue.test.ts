import { expect, test } from 'vitest';
import { TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { buildApp } from '../../support/api/build-app.ts';

test('a sign-in is refused at once while too many wait', async () => {
  // Costly enough that they must wait: some 15 ms each.
  const service = await buildApp({
    slots: 0,
    env: { TROUPE_ADMIN_PASSWORD },
    passwordCost: { N: 2 ** 13, r: 8, p: 1 },
  });
  const signIn = (remoteAddress: string) =>
    service.app.server.inject({
      method: 'POST',
      url: '/admin/sign-ins',
      payload: { name: 'nobody', password: 'guess' },
      remoteAddress,
    });

  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, i) => signIn(`198.51.100.${i}`)),
  );
  await service.close();

  const statuses = replies.map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect(statuses.every((status) => status === 429 || status === 401)).toBe(true);
});
