"""Small pictures of one character for work in progress: python bake.py --preview NAME [VIEW ...]"""

import time
from pathlib import Path

from PIL import Image, ImageDraw

import backdrop
import character as characters
import poses
from film import PORTRAIT, Film
from rendering import Quality, picture
from stage import Stage

SIZE = 320
SMALL = Film(SIZE, SIZE, PORTRAIT.cx * SIZE / PORTRAIT.width, PORTRAIT.cy * SIZE / PORTRAIT.width, SIZE / PORTRAIT.width)
COLUMNS = 4
CELL, STRANDS = 0.014, 12_000
QUALITY = Quality(scale=1, samples=12)


def preview(name: str, views: list[str], folder: Path):
    """Renders the named views (default: the usual ones) and a sheet of them into `folder`."""
    unknown = [view for view in views if view not in poses.VIEWS]
    if unknown:
        raise SystemExit(f'unknown views {unknown}; available: {" ".join(poses.VIEWS)}')
    folder.mkdir(parents=True, exist_ok=True)
    character, _ = characters.load(name)
    started = time.monotonic()
    stage = Stage(character, CELL, STRANDS)
    room = Image.fromarray(backdrop.draw(character, SIZE).astype('uint8')).convert('RGBA')

    shown = []
    for view in views or poses.USUAL_VIEWS:
        stage.show(poses.VIEWS[view])
        image = Image.alpha_composite(room, picture(SMALL, QUALITY)).convert('RGB')
        image.save(folder / f'{name}-{view}.png')
        shown.append((view, image))
        print(f'{name}: {view}, {time.monotonic() - started:.0f} s', flush=True)
    _sheet(shown).save(folder / f'{name}.png')


def _sheet(shown):
    columns = min(COLUMNS, len(shown))
    sheet = Image.new('RGB', (columns * SIZE, -(-len(shown) // columns) * SIZE))
    for i, (view, image) in enumerate(shown):
        labelled = image.copy()
        ImageDraw.Draw(labelled).text((6, 4), view, fill=(25, 25, 30))
        sheet.paste(labelled, (i % columns * SIZE, i // columns * SIZE))
    return sheet
