/* Restarts, losses and unanswered requests of a pool that overflows to another control plane. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NOWHERE, OverflowStage } from '../support/fleet/overflow-stage.ts';

let stage: OverflowStage;
beforeEach(async () => {
  stage = await OverflowStage.open();
});
afterEach(() => stage.close());

type Row = { session_id: string; state: 'reserved' | 'closed' };

async function insert(row: Row, at: number): Promise<void> {
  const database = stage.place.open();
  await database
    .insertInto('outside_sessions')
    .values({
      ...row,
      epoch: 1,
      pool: 'default',
      outside_id: null,
      price_micros: 100_000,
      limit_ms: 600_000,
      cost_micros: 1_000_000,
      reserved_at: at,
      heard_at: at,
      length_ms: 0,
      end_reason: null,
      due_at: at + 60_000,
      failures: 0,
      version: 0,
    })
    .execute();
  await database.destroy();
}

describe('the watch over sessions at an outside service', () => {
  test('is resumed by the next start', async () => {
    await stage.set();
    const { id, assigned } = await stage.begin();
    await stage.home.close();
    await stage.endThere(assigned, 'agent_left');

    await stage.reopen();
    // Its clock begins anew.
    stage.home.clock.advance(20_000);
    await stage.endsHere(id, 'agent_left');
    await stage.allClosed();

    expect(await stage.mirrored()).toHaveLength(1);
  });

  test('keeps a session that goes on through a restart', async () => {
    await stage.set();
    const { id, assigned } = await stage.begin();

    await stage.home.close();
    await stage.reopen();
    stage.home.clock.advance(30_000);
    await stage.comesTrue(async () => (await stage.overflow()).sessions === 1);
    await stage.endThere(assigned, 'room_empty');
    await stage.endsHere(id, 'room_empty');

    expect(stage.worker.messages.filter(({ type }) => type === 'assign')).toHaveLength(1);
  });

  test('ends there what had ended here while the provider was away', async () => {
    await stage.set();
    const { id } = await stage.begin();
    const [{ outside_id }] = await stage.mirrored();
    // Nothing listens there.
    await stage.repoint(NOWHERE);
    await stage.home.call('POST', `/v1/sessions/${id}/end`);
    await stage.comesTrue(async () => (await stage.overflow()).problem !== null);
    expect(await stage.mirrored()).toMatchObject([{ state: 'ending', cost: 1 }]);

    await stage.repoint(stage.outside.url);
    stage.home.clock.advance(30_000);
    await stage.allClosed();

    expect(await stage.readOutside(outside_id)).toMatchObject({ end_reason: 'ended_by_client' });
  });

  test('gives a session to a worker here when the provider is silent for a minute', async () => {
    await stage.set();
    const { id } = await stage.begin();
    const worker = await stage.home.join({ slots: 1 });
    await stage.repoint(NOWHERE);
    await stage.comesTrue(async () => (await stage.overflow()).problem !== null);
    expect(worker.performing.has(id)).toBe(false);

    stage.home.clock.advance(61_000);
    await stage.comesTrue(() => worker.performing.has(id));

    // Not there a second time, although the provider may be back.
    expect(await stage.mirrored()).toMatchObject([{ session_id: id, state: 'ending' }]);
    await stage.repoint(stage.outside.url);
    stage.home.clock.advance(30_000);
    await stage.allClosed();
  });

  test.each([
    ['finds a session whose creation was not answered', true],
    ['gives up a session that was never created', false],
  ])('%s', async (_, isThere) => {
    await stage.set();
    const { id, assigned } = await stage.placeOutside();
    await stage.comesTrue(async () => (await stage.mirrored())[0].state === 'waiting');
    const [{ outside_id }] = await stage.mirrored();
    // It is not placed there again.
    await stage.set({ max_sessions: 0 });
    await stage.home.close();
    // As if it had died between the request and its answer.
    const database = stage.place.open();
    await database
      .updateTable('outside_sessions')
      .set({ state: 'creating', outside_id: null, ...(!isThere && { epoch: 9 }) })
      .execute();
    await database.destroy();

    await stage.reopen();
    if (isThere) {
      await stage.worker.started(assigned.placement);
      stage.home.clock.advance(15_000);
      await stage.comesTrue(async () => (await stage.read(id)).status.type === 'ongoing');
      expect(await stage.mirrored()).toMatchObject([{ outside_id, state: 'showing' }]);
    } else {
      // Its clock begins anew.
      stage.home.clock.advance(40_000);
      await stage.allClosed();
      expect(await stage.mirrored()).toMatchObject([{ outside_id: null, cost: 0 }]);
    }
  });

  test('gives a session to a worker here when its creation is never answered', async () => {
    const provider = createServer((request, response) => {
      // A creation hangs; the list is empty.
      if (request.method === 'GET') response.end(JSON.stringify({ data: [], has_more: false }));
    });
    await once(provider.listen(0, '127.0.0.1'), 'listening');
    const { port } = provider.address() as AddressInfo;
    await stage.set({ url: `http://127.0.0.1:${port}` });
    const { id } = (await stage.create()).json();
    await stage.comesTrue(async () => (await stage.mirrored())[0]?.state === 'creating');
    const worker = await stage.home.join({ slots: 1 });

    stage.home.clock.advance(10_000);
    await stage.comesTrue(
      async () => (await stage.overflow()).problem === 'It did not answer within 10 s.',
    );
    stage.home.clock.advance(15_000);
    await stage.comesTrue(() => worker.performing.has(id));

    expect(await stage.mirrored()).toMatchObject([{ outside_id: null, state: 'closed', cost: 0 }]);
    provider.closeAllConnections();
    provider.close();
  });

  test('forgets closed sessions after three months', async () => {
    const now = stage.home.clock.now();
    await insert({ session_id: 'old', state: 'closed' }, now - 93 * 86_400_000);
    await insert({ session_id: 'of last month', state: 'closed' }, now - 31 * 86_400_000);
    await stage.home.close();

    await stage.reopen();
    await stage.comesTrue(async () => (await stage.mirrored()).length === 1);

    expect(await stage.mirrored()).toMatchObject([{ session_id: 'of last month' }]);
  });

  test('frees a slot whose session was never saved', async () => {
    await stage.set();
    await insert({ session_id: 'never saved', state: 'reserved' }, stage.home.clock.now());
    expect(await stage.overflow()).toMatchObject({ sessions: 1, reserved: 1 });

    stage.home.clock.advance(61_000);
    await stage.comesTrue(async () => (await stage.overflow()).sessions === 0);
  });
});
