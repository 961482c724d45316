import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Sheet } from '#protocol/pictures/sheets.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import type { SimulatedWorker } from '../../support/simulated-worker.ts';
import { until } from '../../support/until.ts';
import { PhotoAvatars } from '../../support/api/photo-avatars.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

const SHEET: Sheet = { tiles: ['rest', 'open'], columns: 2, tileSide: 128, jpeg: '/9j/2Q==' };

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp({ slots: 0, agentSlots: 0 });
});
afterEach(() => service.close());

const look = (id: string, headers = {}) =>
  service.call('GET', `/v1/avatars/${id}/sheet`, { headers });
const joinArtist = (abilities = ['sheets', 'bundles', 'builds']) =>
  service.join({ abilities, slots: 1 });

const isAsked = ({ messages }: SimulatedWorker) =>
  messages.some(({ type }) => type === 'draw_sheet');

describe('the contact sheet of an avatar', () => {
  test('is drawn by a worker when somebody asks, and once for a minute', async () => {
    const worker = await joinArtist();
    worker.sheet = () => SHEET;

    const replies = [await look(FIRST_AVATAR.alias), await look(NORA)];

    for (const reply of replies) {
      expect(reply.statusCode).toBe(200);
      expect(reply.headers['cache-control']).toBe('private, max-age=60');
      expect(reply.json()).toEqual({
        picture: 'data:image/jpeg;base64,/9j/2Q==',
        tile_side: 128,
        columns: 2,
        tiles: ['rest', 'open'],
      });
    }
    const orders = worker.messages.filter(({ type }) => type === 'draw_sheet');
    expect(orders).toEqual([{ type: 'draw_sheet', avatarId: NORA }]);
  });

  test('of a photo names the bundle, and is for its own account', async () => {
    const worker = await joinArtist();
    const id = await (await PhotoAvatars.open(service, worker)).building();
    const early = await look(id);
    const { placement } = await worker.next('build');
    const bundle = await (await PhotoAvatars.open(service, worker)).put(Buffer.from('a bundle'));
    await worker.built(placement, bundle, bundle);

    const ownReply = await look(id);
    const foreign = await look(id, { 'x-api-key': await service.strangerKey() });

    expect([early.statusCode, ownReply.statusCode, foreign.statusCode]).toEqual([409, 200, 404]);
    const orders = worker.messages.filter(({ type }) => type === 'draw_sheet');
    expect(orders).toEqual([{ type: 'draw_sheet', avatarId: id, bundle }]);
  });

  test('is missing without a worker that draws it, and says when to try again', async () => {
    const older = await joinArtist(['speech_sources']);
    const reply = await look(FIRST_AVATAR.alias);

    expect(reply.statusCode).toBe(503);
    expect(reply.headers['retry-after']).toBe('5');
    expect(reply.json().detail).toBe('No worker can draw the contact sheet now.');
    await older.atRest();
    expect(older.messages.map(({ type }) => type)).not.toContain('draw_sheet');
  });

  test('is drawn by the next worker when one does not answer', async () => {
    const workers = [await joinArtist(), await joinArtist()];
    for (const worker of workers) worker.sheet = null;
    const looking = look(FIRST_AVATAR.alias);
    await until(() => workers.some(isAsked));
    for (const worker of workers) if (!isAsked(worker)) worker.sheet = () => SHEET;

    service.clock.advance(10_000);

    expect((await looking).json().tiles).toEqual(SHEET.tiles);
  });

  test('is asked of two workers at most', async () => {
    const workers = [await joinArtist(), await joinArtist(), await joinArtist()];
    for (const worker of workers) worker.sheet = null;
    const askedCount = () => workers.filter(isAsked).length;

    const looking = look(FIRST_AVATAR.alias);
    for (const count of [1, 2]) {
      await until(() => askedCount() === count);
      service.clock.advance(10_000);
    }

    expect((await looking).statusCode).toBe(503);
    expect(askedCount()).toBe(2);
  });

  test('is missing when the worker does not answer in ten seconds', async () => {
    const worker = await joinArtist();
    worker.sheet = null;
    const looking = look(FIRST_AVATAR.alias);
    await worker.next('draw_sheet');
    service.clock.advance(10_000);

    expect((await looking).statusCode).toBe(503);
  });
});
