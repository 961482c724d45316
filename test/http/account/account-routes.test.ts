import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAccount, TROUPE_ADMIN_PASSWORD, adminCall } from '../../support/api/admin.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

let service: BuiltApp;
beforeAll(async () => {
  const RETENTION_DAYS = 'transcripts=90,calls=365';
  service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD, RETENTION_DAYS } });
});
afterAll(() => service.close());

type Owner = Awaited<ReturnType<typeof makeAccount>>;

const read = async ({ headers }: Owner) =>
  (await service.call('GET', '/v1/account', { headers })).json();
const change = ({ headers }: Owner, payload: object) =>
  service.call('PATCH', '/v1/account', { headers, payload });
const limitedKey = async ({ id }: Owner, scope: string) => {
  const payload = { name: 'limited', scopes: [scope] };
  const { key } = (await adminCall(service)('POST', `/accounts/${id}/keys`, { payload })).json();
  return { 'x-api-key': key as string };
};

describe('the own account', () => {
  test('shows how long its data is kept', async () => {
    const owner = await makeAccount(service, 'growth');

    expect(await read(owner)).toEqual({
      id: owner.id,
      name: expect.any(String),
      plan: 'growth',
      retention_days: null,
      effective_retention_days: {
        calls: 365,
        deliveries: 30,
        sessions: null,
        timelines: null,
        transcripts: 90,
      },
      call_stills: false,
      created_at: expect.any(String),
    });
  });

  test('shows stills of its calls when it says so', async () => {
    const owner = await makeAccount(service, 'free');

    await change(owner, { call_stills: true });
    await change(owner, { retention_days: null });
    expect(await read(owner)).toMatchObject({ call_stills: true });
    await change(owner, { call_stills: false });
    expect(await read(owner)).toMatchObject({ call_stills: false });
  });

  test('keeps its data for fewer days, until reset', async () => {
    const owner = await makeAccount(service, 'free');

    const statuses = [
      await change(owner, { retention_days: { transcripts: 7, sessions: 1_000 } }),
      await change(owner, {}),
    ].map(({ statusCode }) => statusCode);

    expect(statuses).toEqual([204, 204]);
    expect(await read(owner)).toMatchObject({
      retention_days: { transcripts: 7, sessions: 1_000 },
      effective_retention_days: { transcripts: 7, sessions: 1_000, calls: 365 },
    });
    await change(owner, { retention_days: null });
    expect(await read(owner)).toMatchObject({
      retention_days: null,
      effective_retention_days: { transcripts: 90, sessions: null },
    });
  });

  test.each([
    { kind: 'transcripts', most: 90 },
    { kind: 'deliveries', most: 30 },
  ])('does not keep $kind longer than the installation', async ({ kind, most }) => {
    const owner = await makeAccount(service, 'free');

    const allowed = await change(owner, { retention_days: { [kind]: most } });
    const refused = await change(owner, { retention_days: { [kind]: most + 1 } });

    expect([allowed.statusCode, refused.statusCode]).toEqual([204, 422]);
    expect(refused.json().detail).toEqual([
      {
        type: 'less_than_equal',
        loc: ['body', 'retention_days', kind],
        msg: `Input must be <= ${most}`,
        input: most + 1,
      },
    ]);
    expect((await read(owner)).retention_days).toEqual({ [kind]: most });
  });

  test.each([{ plan: 'unlimited' }, { name: 'another' }, { retention_days: { calls: 0 } }])(
    'refuses %o',
    async (payload) => {
      const owner = await makeAccount(service, 'free');
      const accountBefore = await read(owner);

      expect((await change(owner, payload)).statusCode).toBe(422);
      expect(await read(owner)).toEqual(accountBefore);
    },
  );

  test('needs the scope of the account', async () => {
    const owner = await makeAccount(service, 'free');
    const payload = { retention_days: { calls: 1 } };
    const statusWith = async (scope: string) => {
      const headers = await limitedKey(owner, scope);
      return (await service.call('PATCH', '/v1/account', { headers, payload })).statusCode;
    };

    expect(await statusWith('calls:write')).toBe(403);
    expect(await statusWith('account:read')).toBe(403);
    expect(await statusWith('account:write')).toBe(204);
  });

  test('is refused to operators, and never that of another account', async () => {
    const operator = await makeAccount(service, 'free', 'operator');
    const [changedAccount, otherAccount] = [
      await makeAccount(service, 'free'),
      await makeAccount(service, 'free'),
    ];

    await change(changedAccount, { retention_days: { calls: 2 } });

    expect((await change(operator, { retention_days: { calls: 1 } })).statusCode).toBe(403);
    expect((await read(otherAccount)).retention_days).toBeNull();
  });

  test('has an entry in the audit log for each change', async () => {
    const owner = await makeAccount(service, 'free');
    await change(owner, { retention_days: { calls: 30 } });
    await change(owner, { retention_days: { calls: 30 } });

    const { headers } = owner;
    const { data } = (
      await service.call('GET', '/v1/audit-log?action=account.updated', { headers })
    ).json();

    expect(data).toMatchObject([
      {
        target_id: owner.id,
        actor: { type: 'key', id: owner.keyId },
        before: { retention_days: null },
        after: { retention_days: { calls: 30 } },
      },
    ]);
  });
});
