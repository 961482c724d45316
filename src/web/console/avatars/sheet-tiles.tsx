import type { ContactSheet } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';

const t = texts.avatars;

const GROUPS = ['mouths', 'eyes', 'feelings'] as const;

/** The tiles of a contact sheet under their names. */
export function SheetTiles({ sheet }: { sheet: ContactSheet }) {
  return GROUPS.map((group) => {
    const names: Record<string, string> = t.tiles[group];
    const tiles = sheet.tiles.filter((tile) => tile in names);
    return (
      <section key={group} className="stack-small">
        <h3>{t.groups[group]}</h3>
        {tiles.length === 0 ? (
          <p className="soft">{t.noTiles[group]}</p>
        ) : (
          <ul className="sheet-tiles">
            {tiles.map((tile) => (
              <li key={tile}>
                <Tile sheet={sheet} index={sheet.tiles.indexOf(tile)} />
                {names[tile]}
              </li>
            ))}
          </ul>
        )}
      </section>
    );
  });
}

/** Cut out of the sheet. Its name stands below. */
function Tile({ sheet, index }: { sheet: ContactSheet; index: number }) {
  const { picture, tile_side: side, columns, tiles } = sheet;
  const [x, y] = [(index % columns) * side, Math.floor(index / columns) * side];
  const rows = Math.ceil(tiles.length / columns);
  return (
    <svg viewBox={`${x} ${y} ${side} ${side}`} aria-hidden="true">
      <image href={picture} width={columns * side} height={rows * side} />
    </svg>
  );
}
