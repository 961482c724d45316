import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TROUPE_ADMIN_PASSWORD, makeAccount } from '../../support/api/admin.ts';
import { auditLogOf } from '../../support/api/audit-log.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { newAgent } from '../../support/api/resources.ts';

const FIRST_ACCOUNT = '00000000-0000-4000-8000-000000000001';

let service: BuiltApp;
let log: ReturnType<typeof auditLogOf>;
beforeAll(async () => {
  service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD } });
  log = auditLogOf(service, (await makeAccount(service, 'free', 'operator')).headers);
});
afterAll(() => service.close());

const exported = () => service.call('GET', '/v1/audit-log/export');

describe('the audit log', () => {
  test('shows an account its own changes only', async () => {
    const otherAccount = await makeAccount(service, 'free');
    await newAgent(service);

    const otherLog = await auditLogOf(service, otherAccount.headers).read();
    const filteredReply = await service.call('GET', `/v1/audit-log?account_id=${FIRST_ACCOUNT}`, {
      headers: otherAccount.headers,
    });

    expect(otherLog.data.map((entry: { action: string }) => entry.action)).toEqual([
      'api_key.created',
      'account.created',
    ]);
    expect(filteredReply.statusCode).toBe(403);
  });

  test('shows operators one account, one action or one resource', async () => {
    const agentId = await newAgent(service);

    const { data } = await log.read(`?account_id=${FIRST_ACCOUNT}&action=agent.created`);
    const about = await log.read(`?target_id=${agentId}`);

    expect(data[0]).toMatchObject({ target_id: agentId });
    expect(new Set(data.map((entry: { action: string }) => entry.action))).toEqual(
      new Set(['agent.created']),
    );
    expect(about.data).toHaveLength(1);
  });

  test('is exported as lines of JSON, or as a table', async () => {
    const agentId = await newAgent(service, { name: '=1+1' });
    const query = `?target_id=${agentId}`;

    const lines = await service.call('GET', `/v1/audit-log/export${query}`);
    const table = await service.call('GET', `/v1/audit-log/export${query}&format=csv`);

    expect(lines.headers['content-type']).toBe('application/x-ndjson');
    expect(lines.headers['content-disposition']).toBe('attachment; filename="audit-log.ndjson"');
    expect(
      lines.body
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual((await log.read(query)).data);
    const [head, row] = table.body.trimEnd().split('\r\n');
    expect(table.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(head).toMatch(/^id,at,account_id,actor_type,/);
    expect(row).toContain(`,agent.created,${agentId},`);
    expect(row).toContain('"{""id"":');
  });

  test('is exported to an account once at a time', async () => {
    const replies = await Promise.all([exported(), exported()]);
    const later = await exported();

    const statuses = replies.map(({ statusCode }) => statusCode);
    expect(new Set(statuses)).toEqual(new Set([200, 409]));
    expect(later.statusCode).toBe(200);
  });

  test('is exported whole, beyond one page', async () => {
    const otherAccount = await makeAccount(service, 'free');
    const db = service.place.open();
    const [row] = await db
      .selectFrom('audit_entries')
      .selectAll()
      .where('account_id', '=', otherAccount.id)
      .limit(1)
      .execute();
    const copies = Array.from({ length: 600 }, (_, i) => ({
      ...row!,
      id: `copy ${i}`,
      before_sealed: null,
      after_sealed: null,
      listed_at: i,
    }));
    await db.insertInto('audit_entries').values(copies).execute();
    await db.destroy();

    const { body } = await service.call('GET', '/v1/audit-log/export', {
      headers: otherAccount.headers,
    });

    expect(body.trimEnd().split('\n')).toHaveLength(602);
  });
});
