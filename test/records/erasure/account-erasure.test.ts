import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/records/engine/database.ts';
import type { Tables } from '../../../src/records/engine/tables/tables.ts';
import {
  accountErasure,
  type AccountErasure,
} from '../../../src/records/erasure/account-erasure.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { personRecords } from '../../../src/records/people/people.ts';
import { newDatabase } from '../../support/records/database.ts';
import { fillTables, tablesOf, type FullTable, type Row } from '../../support/records/full-rows.ts';

const NOW = 1_767_225_600_000;
const ROWS = 3;

const columnTexts = {
  'sessions.kind': ['avatar'],
  'sessions.status': ['completed'],
  'calls.status': ['completed'],
  'webhooks.status': ['enabled'],
};

let db: Database;
let erasure: AccountErasure;
let rows: Map<string, Row[]>;
let accountId: string;
beforeEach(async () => {
  db = await newDatabase();
  erasure = accountErasure(db);
  rows = await fillTables(db, ROWS, columnTexts);
  accountId = String(rows.get('accounts')?.[0]?.['id']);
});
afterEach(() => db.destroy());

/** In the order in which they were filled, which PostgreSQL does not keep. Values are numbered. */
async function rowsOf(table: string): Promise<Row[]> {
  const rows = await db
    .selectFrom(table as keyof Tables)
    .selectAll()
    .execute();
  const { compare } = new Intl.Collator('en', { numeric: true });
  return (rows as Row[]).toSorted((rowA, rowB) =>
    compare(JSON.stringify(rowA), JSON.stringify(rowB)),
  );
}

/** Whether rows of this table refer to an account, directly or through others. */
function isOwned(table: FullTable, tables: FullTable[]): boolean {
  if (table.name === 'accounts') return true;
  return table.columns.some(({ refersTo }) => {
    const target = tables.find(({ name }) => name === refersTo?.table);
    return target !== undefined && isOwned(target, tables);
  });
}

async function eraseAll(count: number): Promise<number> {
  for (let steps = 1; ; steps += 1) {
    if ((await erasure.step(accountId, count, NOW)).state === 'completed') return steps;
  }
}

describe('the deletion of an account', () => {
  test('deletes its rows in every table, and no other row', async () => {
    const tables = (await tablesOf(db)).filter(({ name }) => !name.startsWith('kysely'));
    const owned = tables.filter((table) => isOwned(table, tables)).map(({ name }) => name);
    const rowsBefore = new Map<string, Row[]>();
    for (const { name } of tables) rowsBefore.set(name, await rowsOf(name));

    await erasure.begin(accountId, NOW);
    await eraseAll(100);

    expect(owned.length).toBeGreaterThan(15);
    for (const name of owned) {
      const [, ...otherRows] = rowsBefore.get(name) ?? [];
      expect(await rowsOf(name), name).toEqual(otherRows);
    }
    expect(await rowsOf('blobs')).toEqual(rowsBefore.get('blobs'));
    expect(await rowsOf('worker_tokens')).toEqual(rowsBefore.get('worker_tokens'));
  });

  test('deletes its people, and no operator without an account', async () => {
    const people = personRecords(db, new Lists(Buffer.alloc(32)));
    const person = { accountId, role: 'owner' as const, operatorSince: 1, createdAt: 1 };
    const operator = { ...person, accountId: null, role: null };
    const owner = await people.add({ ...person, name: 'Ada' });
    const operators = [
      await people.add({ ...operator, name: 'Bob' }),
      await people.add({ ...operator, name: 'Carl', isAdmin: true, passwordHash: 'hash' }),
    ];

    await erasure.begin(accountId, NOW);
    await eraseAll(100);

    expect(await people.find(owner!.id)).toBeNull();
    for (const each of operators) expect(await people.find(each!.id)).toEqual(each);
  });

  test('keeps a receipt that counts what was deleted', async () => {
    const begun = await erasure.begin(accountId, NOW);
    await eraseAll(100);

    expect(begun).toEqual({ accountId, requestedAt: NOW, deleted: {}, completedAt: null });
    expect(await erasure.find(accountId)).toEqual({
      accountId,
      requestedAt: NOW,
      completedAt: NOW,
      deleted: {
        agents: 1,
        api_keys: 1,
        avatars: 1,
        calls: 1,
        events: 1,
        external_apis: 1,
        idempotent_replies: 1,
        knowledge_files: 1,
        messages: 1,
        sessions: 1,
        timelines: 1,
        webhooks: 1,
      },
    });
  });

  test('names the blobs of its avatars', async () => {
    const hashes = Object.values(rows.get('blobs')?.[0] ?? {});
    await erasure.begin(accountId, NOW);

    const named: string[] = [];
    for (;;) {
      const step = await erasure.step(accountId, 100, NOW);
      named.push(...step.blobs);
      if (step.state === 'completed') break;
    }

    expect(new Set(named)).toEqual(new Set([hashes[0]]));
  });

  test('takes small steps', async () => {
    const [session] = rows.get('sessions') ?? [];
    const moreSessions = Array.from({ length: 5 }, (_, i) => ({
      ...session!,
      id: `more ${i}`,
      idempotency_key: null,
      token_fingerprint: `more ${i}`,
    }));
    await db
      .insertInto('sessions')
      .values(moreSessions as never)
      .execute();
    await erasure.begin(accountId, NOW);

    const sessionCount = (await rowsOf('sessions')).length;
    let most = 0;
    let remainingCount = sessionCount;
    for (;;) {
      const { state } = await erasure.step(accountId, 2, NOW);
      const now = (await rowsOf('sessions')).length;
      most = Math.max(most, remainingCount - now);
      remainingCount = now;
      if (state === 'completed') break;
    }

    expect(most).toBe(2);
    expect(sessionCount - remainingCount).toBe(6);
  });

  test('clears what the audit log holds of it, and keeps who did what', async () => {
    const entry = {
      actor_type: 'key' as const,
      actor_id: 'key-1',
      actor_name: 'a key',
      address: '203.0.113.7',
      action: 'agent.created',
      target_id: 'agent-1',
      before_sealed: null,
      after_sealed: 'sealed',
      created_at: 1,
      listed_at: 1,
    };
    await db
      .insertInto('audit_entries')
      .values([
        { ...entry, id: 'ours', account_id: accountId },
        { ...entry, id: 'theirs', account_id: 'another' },
      ])
      .execute();
    await erasure.begin(accountId, NOW);
    await eraseAll(1);

    const entries = await rowsOf('audit_entries');
    expect(entries).toContainEqual({
      ...entry,
      id: 'ours',
      account_id: accountId,
      after_sealed: null,
    });
    expect(entries).toContainEqual({ ...entry, id: 'theirs', account_id: 'another' });
  });

  test('waits for live sessions', async () => {
    await db
      .updateTable('sessions')
      .set({ status: 'ongoing' })
      .where('account_id', '=', accountId)
      .execute();
    await erasure.begin(accountId, NOW);

    const states: string[] = [];
    do states.push((await erasure.step(accountId, 100, NOW)).state);
    while (states.at(-1) === 'running');
    await db.updateTable('sessions').set({ status: 'completed' }).execute();

    expect(states.at(-1)).toBe('waiting');
    expect(await erasure.pending()).toContain(accountId);
    await eraseAll(100);
    expect(await erasure.pending()).not.toContain(accountId);
  });

  test('revokes its keys at once, and begins only once', async () => {
    const begun = await erasure.begin(accountId, NOW);

    const secondErasure = await erasure.begin(accountId, NOW + 1);

    const keys = await db
      .selectFrom('api_keys')
      .select('revoked_at')
      .where('account_id', '=', accountId)
      .execute();
    expect(keys.every(({ revoked_at }) => revoked_at !== null)).toBe(true);
    expect(secondErasure).toEqual(begun);
    expect(await erasure.begin('nobody', NOW)).toBeNull();
  });
});
