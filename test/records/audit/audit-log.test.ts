import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  auditLogRecords,
  type AuditEntry,
  type AuditLog,
} from '../../../src/records/audit/audit-log.ts';
import type { Database } from '../../../src/records/engine/database.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { newDatabase } from '../../support/records/database.ts';
import { testEncryptor } from '../../support/records/encryptor.ts';

let db: Database;
let log: AuditLog;
beforeEach(async () => {
  db = await newDatabase();
  const secret = randomBytes(32);
  log = auditLogRecords(db, testEncryptor(secret), new Lists(secret));
});
afterEach(() => db.destroy());

const anEntry = (fields: Partial<AuditEntry> = {}): Omit<AuditEntry, 'id'> => ({
  accountId: 'one',
  actor: { type: 'key', id: 'key-1', name: 'a key' },
  address: '203.0.113.7',
  action: 'agent.updated',
  targetId: 'agent-1',
  before: { name: 'a' },
  after: { name: 'b' },
  createdAt: 1_000,
  ...fields,
});

const list = async (filter: Parameters<AuditLog['page']>[1] = {}) =>
  (await log.page({ limit: 50 }, filter)).data;

describe('the audit log', () => {
  test('returns entries as they were added, most recent first', async () => {
    const firstEntry = await log.add(anEntry());
    const secondEntry = await log.add(anEntry({ accountId: null, address: null, before: null }));

    expect(await list()).toEqual([secondEntry, firstEntry]);
  });

  test('filters by account, action, target, actor and time', async () => {
    const entry = await log.add(anEntry());
    await log.add(
      anEntry({
        accountId: 'two',
        actor: { type: 'admin', id: null, name: null },
        action: 'account.updated',
        targetId: 'two',
        createdAt: 2_000,
      }),
    );
    const installation = await log.add(anEntry({ accountId: null, createdAt: 3_000 }));

    expect(await list({ accountId: 'one' })).toEqual([entry]);
    expect(await list({ accountId: null })).toEqual([installation]);
    expect(await list({ accountId: 'one', action: 'account.updated' })).toEqual([]);
    expect(await list({ targetId: 'agent-1', to: 3_000 })).toEqual([entry]);
    expect(await list({ actorId: 'key-1', from: 3_000 })).toEqual([installation]);
  });

  test('gives cursors that are valid for their filter only', async () => {
    await log.add(anEntry());
    await log.add(anEntry());
    const { nextCursor } = await log.page({ limit: 1 }, { accountId: 'one' });
    const cursor = nextCursor ?? '';

    expect((await log.page({ limit: 1, cursor }, { accountId: 'one' })).data).toHaveLength(1);
    await expect(log.page({ limit: 1, cursor }, {})).rejects.toThrow('The request is not valid.');
  });

  test('refuses to delete or rewrite an entry', async () => {
    const entry = await log.add(anEntry());

    await expect(db.deleteFrom('audit_entries').execute()).rejects.toThrow('append-only');
    for (const change of [
      { action: 'x' },
      { actor_id: 'x' },
      { actor_name: 'x' },
      { address: 'x' },
      { account_id: 'x' },
      { target_id: 'x' },
      { created_at: 1 },
      { listed_at: 1 },
      { id: 'x' },
    ]) {
      await expect(db.updateTable('audit_entries').set(change).execute()).rejects.toThrow(
        'append-only',
      );
    }
    expect(await list()).toEqual([entry]);
  });

  test('does not keep states in plain text', async () => {
    await log.add(anEntry({ before: { system_prompt: 'our secret recipe' } }));

    const rows = await db.selectFrom('audit_entries').selectAll().execute();

    expect(JSON.stringify(rows)).not.toContain('recipe');
  });
});
