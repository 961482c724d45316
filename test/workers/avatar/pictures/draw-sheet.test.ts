import { PLAIN_FRAME } from '#protocol/pictures/frames.ts';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHEET_TILES, TILE_SIDE, type Sheet } from '#protocol/pictures/sheets.ts';
import { openBundle, type Bundle } from '../../../../workers/bundle/open-bundle.ts';
import { BuiltInPerformer } from '../../../../workers/avatar/performer/built-in-performer.ts';
import { drawSheet } from '../../../../workers/avatar/pictures/draw-sheet.ts';
import { Sheets } from '../../../../workers/avatar/pictures/sheets.ts';
import { createLog } from '#shared/log.ts';
import type { WorkerMessage } from '#protocol/worker/worker-messages.ts';
import { decoded } from '../../../support/picture/i420.ts';
import { until } from '../../../support/until.ts';
import { FIRST_AVATAR } from '../../../support/cast.ts';

const NORA = fileURLToPath(
  new URL(`../../../../workers/avatar/avatars/${FIRST_AVATAR.bundle}`, import.meta.url),
);

let bundle: Bundle;
beforeAll(async () => {
  bundle = await openBundle(NORA);
});
afterAll(() => bundle.close());

/** The mean difference of two tiles, 0..255. */
async function differences({ jpeg, tiles, columns }: Sheet) {
  const { width, rgba } = await decoded(Buffer.from(jpeg, 'base64'));
  const samplesOf = (tile: string): number[] => {
    const index = tiles.indexOf(tile);
    const [leftX, top] = [(index % columns) * TILE_SIDE, Math.floor(index / columns) * TILE_SIDE];
    return Array.from({ length: TILE_SIDE ** 2 }, (_, i) => {
      const [x, y] = [leftX + (i % TILE_SIDE), top + Math.floor(i / TILE_SIDE)];
      return rgba[4 * (y * width + x) + 1]!;
    });
  };
  return (tileA: string, tileB: string): number => {
    const [a, b] = [samplesOf(tileA), samplesOf(tileB)];
    return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]!), 0) / a.length;
  };
}

describe('a contact sheet', () => {
  test('shows every look of a built-in avatar, each unlike the face at rest', async () => {
    const sheet = await drawSheet(bundle.face);

    expect(sheet.tiles).toEqual(SHEET_TILES);
    const { width, height } = await decoded(Buffer.from(sheet.jpeg, 'base64'));
    expect([width, height]).toEqual([4 * TILE_SIDE, 4 * TILE_SIDE]);
    const differ = await differences(sheet);
    for (const tile of SHEET_TILES.slice(1))
      expect(differ('rest', tile), tile).toBeGreaterThan(0.4);
    expect(differ('rest', 'wide_open')).toBeGreaterThan(differ('rest', 'open'));
  });

  test('leaves out expressions that a bundle lacks', async () => {
    const { face } = bundle;
    const mouths = face.mouths.filter(({ expression }) => expression !== 'warm');

    const { tiles } = await drawSheet({ ...face, mouths });

    expect(tiles).toEqual(SHEET_TILES.filter((tile) => tile !== 'warm'));
  });

  test('changes nothing that a session of the same avatar shows', async () => {
    const frames = [false, true].map(() => new Uint8Array(512 * 512 * 1.5));
    const show = (frame: Uint8Array) => {
      const performer = new BuiltInPerformer(bundle, { seed: 'same', scene: PLAIN_FRAME });
      performer.draw(0, frame);
      performer.close();
    };
    show(frames[0]!);
    await drawSheet(bundle.face);
    show(frames[1]!);

    expect(Buffer.compare(frames[0]!, frames[1]!)).toBe(0);
  });
});

describe('a worker that draws contact sheets', () => {
  test('answers each order in turn, also when an avatar cannot be opened', async () => {
    const messages: WorkerMessage[] = [];
    let released = 0;
    const sheets = new Sheets({
      link: { send: (message) => messages.push(message) > 0 },
      log: createLog({ name: 'test', level: 'silent' }),
      async show({ avatarId }) {
        if (avatarId === 'unknown') throw new Error('unknown avatar');
        return { bundle, release: () => void (released += 1) };
      },
    });

    sheets.draw({ type: 'draw_sheet', avatarId: 'unknown' });
    sheets.draw({ type: 'draw_sheet', avatarId: FIRST_AVATAR.alias });
    await until(() => messages.length === 2);

    expect(messages[0]).toEqual({ type: 'sheet', avatarId: 'unknown' });
    expect(messages[1]).toMatchObject({
      type: 'sheet',
      avatarId: FIRST_AVATAR.alias,
      sheet: { columns: 4 },
    });
    expect(released).toBe(1);
  });
});
