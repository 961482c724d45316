import Type, { type Static } from 'typebox';

/** Ability of workers that draw contact sheets. */
export const DRAWS_SHEETS = 'sheets';

/** Possible tiles of a contact sheet, in order. Not every bundle has all of them. */
export const SHEET_TILES = [
  'rest',
  'open',
  'wide_open',
  'spread',
  'rounded',
  'flared',
  'pressed',
  'teeth_on_lip',
  'tongue',
  'blink',
  'look_left',
  'look_right',
  'brows',
  'warm',
  'concerned',
  'amused',
] as const;
export type SheetTile = (typeof SHEET_TILES)[number];

export const SHEET_COLUMNS = 4;

/** Side of a tile in pixels. */
export const TILE_SIDE = 128;

/** In base64. Leaves room in a message. */
export const MAX_SHEET_TEXT = 60_000;

/** A picture of tiles, row by row. */
export const Sheet = Type.Object({
  tiles: Type.Array(Type.String({ maxLength: 40 }), {
    maxItems: 100,
    description: `Name of each tile, in order: ${SHEET_TILES.join(', ')}. Newer workers may send more.`,
  }),
  columns: Type.Integer({ minimum: 1, description: 'Tiles in a row.' }),
  tileSide: Type.Integer({ minimum: 1, description: 'Side of a square tile, in pixels.' }),
  jpeg: Type.String({
    pattern: '^[A-Za-z0-9+/]+={0,2}$',
    maxLength: MAX_SHEET_TEXT,
    description: 'The picture in base64.',
  }),
});
export type Sheet = Static<typeof Sheet>;
