import { setImmediate } from 'node:timers/promises';
import {
  MAX_SHEET_TEXT,
  SHEET_COLUMNS,
  SHEET_TILES,
  TILE_SIDE,
  type Sheet,
} from '#protocol/pictures/sheets.ts';
import type { Face } from '../../bundle/open-bundle.ts';
import { memoryOf, type FaceMemory, type SessionPlanes } from '../performer/face.ts';
import { Looks } from '../performer/looks.ts';
import { frameBytes } from '../performer/performer.ts';
import { fieldArguments, STRAIGHT } from '../performer/pose.ts';
import { JpegEncoder } from '../transport/botroom/jpeg/jpeg-encoder.ts';
import { shrink, type Part } from './shrink.ts';
import { TILE_LOOKS, type TileLook } from './sheet-tiles.ts';

/** The best that fits in a message is taken. */
const QUALITIES = [85, 70, 50, 30];

/** The looks of a face, as far as its bundle has them, each from near. */
export async function drawSheet(face: Face): Promise<Sheet> {
  const expressions = new Set(face.mouths.map(({ expression }) => expression));
  const tiles = SHEET_TILES.filter((tile) => expressions.has(TILE_LOOKS[tile].expression));
  const rows = Math.ceil(tiles.length / SHEET_COLUMNS);
  const size = { width: SHEET_COLUMNS * TILE_SIDE, height: rows * TILE_SIDE };
  const sheet = new Uint8Array(frameBytes(size)).fill(128);
  const part = headOf(face);
  const { width, height } = face.manifest;
  const frame = new Uint8Array(frameBytes(face.manifest));
  const small = { width: TILE_SIDE, height: TILE_SIDE };
  const tilePicture = new Uint8Array(frameBytes(small));
  const memory = memoryOf(face);
  const planes = memory.take();
  try {
    for (const [index, tile] of tiles.entries()) {
      drawTile(face, memory, planes, TILE_LOOKS[tile], frame);
      shrink({ i420: frame, size: { width, height }, part }, tilePicture, small);
      const place = { column: index % SHEET_COLUMNS, row: Math.floor(index / SHEET_COLUMNS) };
      putTile(tilePicture, sheet, size, place);
      // Frames of sessions are due between two tiles.
      await setImmediate();
    }
  } finally {
    memory.giveBack(planes);
  }
  return { tiles, columns: SHEET_COLUMNS, tileSide: TILE_SIDE, jpeg: encoded(sheet, size) };
}

function drawTile(
  face: Face,
  memory: FaceMemory,
  planes: SessionPlanes,
  { expression, mouth, eyes }: TileLook,
  frame: Uint8Array,
): void {
  const looks = new Looks(face, memory, expression);
  const fitted = [...looks.ofEyes({ ...eyes, pose: STRAIGHT }), ...looks.ofMouth(mouth)];
  for (const look of fitted) memory.add(planes, look.fitted, look.weight);
  memory.warp.field(...fieldArguments(STRAIGHT));
  memory.draw(planes, frame);
  for (const look of fitted) memory.restore(planes, look.fitted.area);
}

/** A square around all that moves in the face: brows, eyes, mouth and jaw. */
function headOf({ manifest, mouths, eyes }: Face): Part {
  const areas = [...mouths, ...eyes].map(({ area }) => area).filter(({ width }) => width > 0);
  const [leftX, topY] = [
    Math.min(...areas.map(({ x }) => x)),
    Math.min(...areas.map(({ y }) => y)),
  ];
  const rightX = Math.max(...areas.map(({ x, width }) => x + width));
  const bottomY = Math.max(...areas.map(({ y, height }) => y + height));
  const most = Math.min(manifest.width, manifest.height);
  const extent = Math.max(rightX - leftX, bottomY - topY);
  const side = even(Math.min(most, Math.max(TILE_SIDE, extent)));
  const from = (start: number, end: number, length: number) =>
    even(Math.min(length - side, Math.max(0, (start + end - side) / 2)));
  return {
    x: from(leftX, rightX, manifest.width),
    y: from(topY, bottomY, manifest.height),
    width: side,
    height: side,
  };
}

const even = (value: number): number => 2 * Math.floor(value / 2);

type Place = { column: number; row: number };

function putTile(
  tile: Uint8Array,
  sheet: Uint8Array,
  size: { width: number; height: number },
  { column, row }: Place,
): void {
  let [source, target] = [0, 0];
  for (const scale of [1, 2, 2]) {
    const [side, stride] = [TILE_SIDE / scale, size.width / scale];
    for (let line = 0; line < side; line++, source += side) {
      const at = target + (row * side + line) * stride + column * side;
      sheet.set(tile.subarray(source, source + side), at);
    }
    target += stride * (size.height / scale);
  }
}

function encoded(sheet: Uint8Array, size: { width: number; height: number }): string {
  for (const quality of QUALITIES) {
    const jpeg = new JpegEncoder({ ...size, quality }).encode(sheet)!;
    const text = Buffer.from(jpeg).toString('base64');
    if (text.length <= MAX_SHEET_TEXT) return text;
  }
  throw new Error('the contact sheet does not fit in a message');
}
