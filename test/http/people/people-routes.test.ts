import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TROUPE_ADMIN_PASSWORD, adminCall, makeAccount } from '../../support/api/admin.ts';
import { Browser, PASSWORD } from '../../support/api/browser.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

let service: BuiltApp;
let owner: Browser;
let admin: { id: string; name: string };
beforeAll(async () => {
  service = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD } });
  const { id: account_id } = await makeAccount(service, 'unlimited');
  owner = await invited({ account_id, role: 'owner' }, 'Ada');
  const payload = { name: 'root', password: PASSWORD };
  admin = (await call('POST', '/admins', { payload })).json();
});
afterAll(() => service.close());

const call: ReturnType<typeof adminCall> = (...request) => adminCall(service)(...request);
const invited = async (payload: object, name: string): Promise<Browser> => {
  const { link } = (await call('POST', '/invitations', { payload })).json();
  return new Browser(service).join(link, name);
};
const statusOf = async (reply: Promise<{ statusCode: number }>) => (await reply).statusCode;
const idOf = async (browser: Browser): Promise<string> =>
  (await browser.call('GET', '/console/api/me')).json().id;
const signInToAdminApi = (name: string) =>
  call('POST', '/sign-ins', { payload: { name, password: PASSWORD } });

const readAccounts = (browser: Browser) => statusOf(browser.call('GET', '/admin/accounts'));

describe('an administrator', () => {
  test('is a stranger to every account', async () => {
    const { data } = (await owner.call('GET', '/v1/people?limit=50')).json();
    const path = `/v1/people/${admin.id}`;

    expect(data.map(({ id }: { id: string }) => id)).toEqual([await idOf(owner)]);
    expect(await statusOf(owner.call('PATCH', path, { role: 'viewer' }))).toBe(404);
    expect(await statusOf(owner.call('POST', `${path}/sign-in-links`))).toBe(404);
    expect(await statusOf(owner.call('DELETE', path))).toBe(404);
    expect(await statusOf(signInToAdminApi(admin.name))).toBe(201);
  });

  test('is signed out of the console by removal and by a new password', async () => {
    const payload = { name: 'Zoë', password: PASSWORD };
    const { id } = (await call('POST', '/admins', { payload })).json();
    const [changed, removed] = [new Browser(service), new Browser(service)];
    await changed.signIn('Zoë');
    expect(await readAccounts(changed)).toBe(200);

    await call('PATCH', `/admins/${id}`, { payload: { password: 'another long password' } });
    expect(await readAccounts(changed)).toBe(401);
    await removed.signIn('Zoë', 'another long password');
    expect(await readAccounts(removed)).toBe(200);

    await call('DELETE', `/admins/${id}`);
    expect(await readAccounts(removed)).toBe(401);
  });
});

describe('no administrator', () => {
  test.each([
    { who: 'an owner of an account', name: 'Ada', join: async () => owner },
    {
      who: 'an operator without an account',
      name: 'Olu',
      join: () => invited({ is_operator: true }, 'Olu'),
    },
  ])('is $who', async ({ name, join }) => {
    const browser = await join();
    const path = `/admins/${await idOf(browser)}`;

    const { data } = (await call('GET', '/admins?limit=50')).json();
    expect(data.map(({ id }: { id: string }) => id)).toEqual([admin.id]);
    expect(await statusOf(call('GET', path))).toBe(404);
    expect(await statusOf(call('PATCH', path, { payload: { name: 'x' } }))).toBe(404);
    expect(await statusOf(call('DELETE', path))).toBe(404);
    expect(await statusOf(signInToAdminApi(name))).toBe(401);
    expect((await browser.call('GET', '/console/api/me')).statusCode).toBe(200);
  });
});
