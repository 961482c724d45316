import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashOfToken } from '#protocol/worker/worker-id.ts';
import { WorkerTokens } from '../../src/accounts/worker-tokens.ts';
import type { Database } from '../../src/records/engine/database.ts';
import { Lists } from '../../src/records/engine/pages.ts';
import { workerTokenRecords, type WorkerTokenRecords } from '../../src/records/worker-tokens.ts';
import { quietLog } from '../support/fleet/control-plane.ts';
import { newDatabase } from '../support/records/database.ts';
import { TestClock } from '../support/test-clock.ts';

let db: Database;
let clock: TestClock;
let records: WorkerTokenRecords;
let tokens: WorkerTokens;
beforeEach(async () => {
  db = await newDatabase();
  clock = new TestClock();
  records = workerTokenRecords(db, new Lists(Buffer.alloc(32)));
  tokens = new WorkerTokens({ configuredToken: 'secret-secret', records, clock, log: quietLog });
});
afterEach(async () => {
  await tokens.close();
  await db.destroy();
});

const storedTokens = async () => (await records.page({ limit: 10 })).data;

describe('worker tokens', () => {
  test('accept WORKER_TOKEN as a bearer token, in any case of the scheme', async () => {
    const tokenHash = hashOfToken('secret-secret');
    const grant = { tokenId: null, tokenHash, kind: null, pool: null };

    expect(await tokens.check('Bearer secret-secret')).toEqual(grant);
    expect(await tokens.check('bearer secret-secret')).toEqual(grant);
  });

  test.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'secret-secret',
    'Basic secret-secret',
    'Bearer secret-secre',
    'Bearer secret-secret ',
    'Bearer secret-secretx',
    'Bearer Secret-secret',
  ])('refuse %j', async (header) => {
    expect(await tokens.check(header)).toBeNull();
  });

  test('are shown once and stored as a hash', async () => {
    const { text, ...token } = await tokens.make('rack 7');

    expect(text).toMatch(/^troupe_worker_[0-9A-Za-z]{40}$/);
    expect(await tokens.check(`Bearer ${text}`)).toEqual({
      tokenId: token.id,
      tokenHash: hashOfToken(text),
      kind: null,
      pool: null,
    });
    const rows = await db.selectFrom('worker_tokens').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(text);
  });

  test('grant what they were made for', async () => {
    const { text } = await tokens.make('rack 7', { kind: 'agent', pool: 'gpu' });

    expect(await tokens.check(`Bearer ${text}`)).toMatchObject({ kind: 'agent', pool: 'gpu' });
    expect(await storedTokens()).toMatchObject([{ kind: 'agent', pool: 'gpu' }]);
  });

  test('are refused once revoked, and listeners are notified', async () => {
    const { text, id } = await tokens.make('rack 7');
    const revoked: string[] = [];
    tokens.onRevoked((tokenId) => revoked.push(tokenId));

    expect(await tokens.revoke(id)).toBe(true);
    const [token] = await storedTokens();
    clock.advance(1_000);
    expect(await tokens.revoke(id)).toBe(true);

    expect(await tokens.check(`Bearer ${text}`)).toBeNull();
    expect(revoked).toEqual([id, id]);
    expect((await storedTokens())[0]).toEqual(token);
    expect(await tokens.revoke('nobody')).toBe(false);
  });

  test('are named when they are revoked or unknown', async () => {
    const [live, revoked] = [await tokens.make('rack 7'), await tokens.make('rack 8')];
    await tokens.revoke(revoked.id);

    const ids = [live.id, revoked.id, 'nobody'];
    expect(await tokens.revokedAmong(ids)).toEqual([revoked.id, 'nobody']);
  });

  test('are announced to other control planes only when revoked here', async () => {
    const revoked: string[] = [];
    const notices: string[] = [];
    const publishRevoked = (id: string) => void revoked.push(id);
    const parts = {
      configuredToken: 'secret-secret',
      records,
      clock,
      log: quietLog,
      publishRevoked,
    };
    const shared = new WorkerTokens(parts);
    shared.onRevoked((id) => notices.push(id));
    const { id } = await shared.make('rack 7');

    await shared.revoke(id);
    shared.notifyRevoked('elsewhere');

    expect(revoked).toEqual([id]);
    expect(notices).toEqual([id, 'elsewhere']);
  });

  test('record their last use, at most once a minute', async () => {
    const { text } = await tokens.make('rack 7');
    const firstAt = clock.now();
    await tokens.check(`Bearer ${text}`);
    await tokens.close();
    clock.advance(59_999);
    await tokens.check(`Bearer ${text}`);
    await tokens.close();
    expect((await storedTokens())[0]?.lastUsedAt).toBe(firstAt);

    clock.advance(1);
    await tokens.check(`Bearer ${text}`);
    await tokens.close();

    expect((await storedTokens())[0]?.lastUsedAt).toBe(firstAt + 60_000);
  });
});
