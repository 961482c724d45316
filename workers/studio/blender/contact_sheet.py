"""Shows all baked pictures, each mouth and each state of the eyes in place: python contact_sheet.py NAME [TILE]

Writes out/NAME/sheet.png.
"""

import json
import sys
from pathlib import Path

from PIL import Image, ImageDraw

COLUMNS = 7


def main(name: str, tile: int = 320):
    folder = Path(__file__).parent / 'out' / name
    face = json.loads((folder / 'face.json').read_text())
    base = Image.open(folder / 'base.png')
    background = Image.open(folder / 'background.png').convert('RGBA')

    tiles = [('base', base)]
    for part, region, states in (('mouths', 'mouth', face['mouths']), ('eyes', 'eyes', face['eye_states'])):
        for state in states:
            composed = base.copy()
            composed.paste(Image.open(folder / part / f'{state["name"]}.png'), (face[region]['x'], face[region]['y']))
            tiles.append((f'{region} {state["name"]}', composed))

    sheet = Image.new('RGB', (COLUMNS * tile, -(-len(tiles) // COLUMNS) * tile))
    for i, (label, image) in enumerate(tiles):
        shown = Image.alpha_composite(background, image).convert('RGB').resize((tile, tile), Image.LANCZOS)
        ImageDraw.Draw(shown).text((6, 4), label, fill=(25, 25, 30))
        sheet.paste(shown, (i % COLUMNS * tile, i // COLUMNS * tile))
    sheet.save(folder / 'sheet.png')


if __name__ == '__main__':
    main(sys.argv[1], *map(int, sys.argv[2:3]))
