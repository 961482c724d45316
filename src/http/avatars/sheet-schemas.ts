import Type from 'typebox';
import { Sheet } from '#protocol/pictures/sheets.ts';

const { tiles, columns, tileSide } = Sheet.properties;

export const SheetBody = Type.Object(
  {
    picture: Type.String({
      format: 'uri',
      description: 'A JPEG as data URL: tiles row by row, each the face from near.',
    }),
    tile_side: tileSide,
    columns,
    tiles,
  },
  { $id: 'ContactSheet' },
);

export const toSheetBody = ({ jpeg, tileSide, columns, tiles }: Sheet) => ({
  picture: `data:image/jpeg;base64,${jpeg}`,
  tile_side: tileSide,
  columns,
  tiles,
});
