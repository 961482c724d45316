/*
 * Nothing tells who else is here: a person of another account takes no name away, and neither the
 * answer nor the work for it differs.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FIRST_ACCOUNT } from '../support/api/admin.ts';
import { Browser, codeOf, PASSWORD } from '../support/api/browser.ts';
import { buildApp, type BuiltApp } from '../support/api/build-app.ts';

const OWN_PASSWORD = 'a password of the tenant';

let service: BuiltApp;
let operator: Browser;
/** A person of another account than Ada's. */
let tenant: Browser;
let tenantAccount: string;
beforeEach(async () => {
  service = await buildApp({ slots: 0 });
  operator = await new Browser(service).openHere();
  await new Browser(service).join(await invitationTo(FIRST_ACCOUNT), 'ada');
  tenantAccount = (await operator.call('POST', '/admin/accounts', { name: 'a tenant' })).json().id;
  const link = await invitationTo(tenantAccount);
  tenant = await new Browser(service).join(link, 'tenant', OWN_PASSWORD);
});
afterEach(() => service.close());

async function invitationTo(accountId: string): Promise<string> {
  const body = { account_id: accountId, role: 'owner' };
  return (await operator.call('POST', '/admin/invitations', body)).json().link;
}

const me = async (browser: Browser) => (await browser.call('GET', '/console/api/me')).json();

/** Without what differs between any two answers. */
const shapeOf = (reply: { statusCode: number; headers: object; body: string }, name: string) => ({
  status: reply.statusCode,
  headers: Object.keys(reply.headers).sort(),
  body: reply.body
    .replaceAll(/"[0-9a-f]{8}-[0-9a-f-]{27}"/g, '"an id"')
    .replaceAll(/#link=\w+/g, '#link=a code')
    .replaceAll(JSON.stringify(name), '"a name"'),
});

/** The ways in which a tenant can use a name. */
const acts: { what: string; act: (name: string) => ReturnType<Browser['call']> }[] = [
  {
    what: 'an invitation for it',
    act: (name) => tenant.call('POST', '/v1/invitations', { role: 'viewer', name }),
  },
  {
    what: 'an invitation accepted under it',
    act: async (name) => {
      const { link } = (await tenant.call('POST', '/v1/invitations', { role: 'viewer' })).json();
      const code = codeOf(link);
      const body = { code, name, password: OWN_PASSWORD };
      return new Browser(service).call('POST', '/console/api/links/use', body);
    },
  },
  {
    what: 'an invitation for it, accepted',
    act: async (name) => {
      const invited = await tenant.call('POST', '/v1/invitations', { role: 'viewer', name });
      const body = { code: codeOf(invited.json().link), password: OWN_PASSWORD };
      return new Browser(service).call('POST', '/console/api/links/use', body);
    },
  },
  {
    what: 'a new name',
    act: (name) =>
      tenant.call('PATCH', '/console/api/me', { name, current_password: OWN_PASSWORD }),
  },
  {
    what: 'a sign-in with a wrong password',
    act: (name) => new Browser(service).signIn(name, 'a wrong password'),
  },
];

describe('an act of a tenant', () => {
  test.each(acts)('$what is answered as if no one else had it', async ({ act }) => {
    const free = shapeOf(await act('nobody'), 'nobody');
    const elsewhere = shapeOf(await act('ada'), 'ada');

    expect(elsewhere).toEqual(free);
    expect(elsewhere.status).not.toBe(409);
  });
});

test('a name that somebody of the same account has is refused', async () => {
  const rename = (name: string) =>
    tenant.call('PATCH', '/console/api/me', { name, current_password: OWN_PASSWORD });
  const { link } = (await tenant.call('POST', '/v1/invitations', { role: 'viewer' })).json();
  await new Browser(service).join(link, 'ada', OWN_PASSWORD);

  expect((await rename('ada')).statusCode).toBe(409);
  expect((await rename('operator')).statusCode).toBe(200);
});

const rename = (name: string, password: string) =>
  tenant.call('PATCH', '/console/api/me', { name, current_password: password });

const signInAs = (password: string, person_id?: string) =>
  new Browser(service).call('POST', '/console/api/sign-in', { name: 'ada', password, person_id });

describe('namesakes', () => {
  let namesake: Browser;
  beforeEach(async () => {
    await rename('ada', OWN_PASSWORD);
    namesake = tenant;
  });

  test('sign in each with their own password, to their own account', async () => {
    const [byPassword, byOwnPassword] = [await signInAs(PASSWORD), await signInAs(OWN_PASSWORD)];

    expect(byPassword.json()).toMatchObject({ name: 'ada', account: { id: FIRST_ACCOUNT } });
    expect(byOwnPassword.json()).toMatchObject({ name: 'ada', account: { id: tenantAccount } });
    expect((await signInAs('a wrong password')).statusCode).toBe(401);
  });

  test('are one person’s choice of account, if the password is the same', async () => {
    const change = { password: PASSWORD, current_password: OWN_PASSWORD };
    await namesake.call('PATCH', '/console/api/me', change);
    const question = await signInAs(PASSWORD);
    const { person_ids: ids, account_names: names } = question.json();
    const choice = await signInAs(PASSWORD, ids[1]);

    expect(question.statusCode).toBe(409);
    expect(names).toEqual(['first', 'a tenant']);
    expect(choice.json()).toMatchObject({ id: ids[1], account: { name: 'a tenant' } });
    expect((await signInAs('a wrong password', ids[0])).statusCode).toBe(401);
  });

  test('are not told whose password another one has', async () => {
    const { id: namesakeId } = await me(namesake);

    const reply = await signInAs(PASSWORD, namesakeId);

    expect(reply.statusCode).toBe(401);
  });

  test('take one derivation together, however they came to the name', async () => {
    const { id } = await me(namesake);
    const third = (await operator.call('POST', '/admin/accounts', { name: 'third' })).json().id;
    await new Browser(service).join(await invitationTo(third), 'ada', 'one more password');
    const { link } = (await namesake.call('POST', `/v1/people/${id}/sign-in-links`)).json();
    await new Browser(service).call('POST', '/console/api/links/use', {
      code: codeOf(link),
      password: 'a password after a link',
    });
    await operator.call('POST', '/admin/admins', { name: 'ada', password: PASSWORD });
    const database = service.place.open();
    const rows = await database.selectFrom('people').select(['password_hash']).execute();
    await database.destroy();

    const hashes = rows.flatMap(({ password_hash: hash }) => hash ?? []);
    const salts = hashes.map((hash) => hash.slice(0, hash.lastIndexOf('$')));
    expect(hashes).toHaveLength(4);
    expect(new Set(salts).size).toBe(1);
  });

  test('are shown by their name, in lists and in the audit log', async () => {
    await namesake.call('POST', '/v1/invitations', { role: 'viewer' });

    const list = (await namesake.call('GET', '/v1/people')).json();
    const log = (await namesake.call('GET', '/v1/audit-log')).json();

    expect(list.data.map(({ name }: { name: string }) => name)).toEqual(['ada']);
    expect(log.data[0].actor).toMatchObject({ name: 'ada' });
  });

  test('free no name, and take none, when one of them goes', async () => {
    const firstPage = await operator.call('GET', '/v1/people');
    const ada = firstPage.json().data.find(({ name }: { name: string }) => name === 'ada');
    await operator.call('DELETE', `/v1/people/${ada.id}`);

    const { link } = (await namesake.call('POST', '/v1/invitations', { role: 'viewer' })).json();
    const body = { code: codeOf(link), name: 'ada', password: PASSWORD };
    const refusal = await new Browser(service).call('POST', '/console/api/links/use', body);
    const newcomer = await new Browser(service).join(await invitationTo(FIRST_ACCOUNT), 'ada');

    expect(refusal.statusCode).toBe(409);
    expect(await me(newcomer)).toMatchObject({ name: 'ada', account: { id: FIRST_ACCOUNT } });
  });

  test('are one of each account also when invitations are accepted at once', async () => {
    const links = await Promise.all([0, 1, 2, 3].map(() => invitationTo(FIRST_ACCOUNT)));

    const replies = await Promise.all(
      links.map((link) =>
        new Browser(service).call('POST', '/console/api/links/use', {
          code: codeOf(link),
          name: 'tenant',
          password: PASSWORD,
        }),
      ),
    );

    const joinReplies = replies.filter(({ statusCode }) => statusCode === 200);
    const refused = replies.filter(({ statusCode }) => statusCode === 409);
    expect([joinReplies.length, refused.length]).toEqual([1, 3]);
  });
});
