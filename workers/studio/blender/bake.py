"""Bakes one character: python bake.py NAME [--draft], or previews it: python bake.py --preview NAME [VIEW ...]

Writes the input of the avatar bundle to out/NAME/ (out/NAME-draft/ for a draft): the still picture, the
background, depth and head weight, the mouths, the eyes, and finally face.json, which describes them.
A second run renders only files that are missing or affected by changed parameters or code.

A preview takes about twenty seconds a picture. It writes out/preview/NAME.png (or to --out) and one file for
each view. poses.VIEWS lists the views.

Setup, with Python 3.11 (the only version supported by bpy 5.0), outside of the repository; 1.2 GB:
  python3.11 -m venv VENV && VENV/bin/pip install --require-hashes -r requirements.txt
Libraries that Blender needs without a display: apt-get install libx11-6 libxrender1 libxi6 libxfixes3 libxkbcommon0
libsm6 libice6 libgl1

A bake takes about half an hour of every core. It runs at the lowest priority in its own process group, whose id
is in out/bake.pid. Pause it with: kill -STOP -- -$(cat out/bake.pid); resume it with -CONT.
"""

import argparse
import ast
import hashlib
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

import backdrop
import character as characters
import maps
import poses
from preview import preview
from rendering import Quality, Region, picture
from film import ABOVE, DISTANCE, LEFT, STAGE, UNIT
from stage import Stage

HERE = Path(__file__).parent
PROCESS_GROUP = HERE / 'out' / 'bake.pid'

# Everything that a moving mouth changes, including the jaw's shadow on the collar. A full beard is wider than the jaw.
# Eyes include raised brows.
MOUTH = Region(x=LEFT + 140, y=ABOVE + 228, width=232, height=256)
BEARDED_MOUTH = Region(x=LEFT + 108, y=ABOVE + 228, width=296, height=256)
EYES = Region(x=LEFT + 116, y=ABOVE + 114, width=280, height=182)
MOUTH_MARGIN, EYES_MARGIN = 24, 16
# Just above the lashes of open eyes.
LIDS_TOP = ABOVE + 200
# Pixels of a portrait that one pixel of the room spans: it is out of focus.
ROOM_SCALE = 2
# The head with its hair in a portrait: height of its centre, and its height. A close square shows just the portrait.
HEAD_AT, HEAD_HEIGHT = 0.465 * UNIT, 0.69 * UNIT


@dataclass(frozen=True)
class Work:
    cell: float  # Cell size of the skin's mesh, in model units.
    strands: int
    still: Quality
    parts: Quality


# The denoiser replaces more samples. All crops share one seed, so their remaining noise is alike and they can be compared.
FINAL = Work(cell=0.010, strands=34_000, still=Quality(scale=2, samples=32), parts=Quality(scale=2, samples=8))
DRAFT = Work(cell=0.014, strands=9_000, still=Quality(scale=1, samples=16), parts=Quality(scale=1, samples=10))


class Bake:
    def __init__(self, name: str, draft: bool):
        self.character, self.expressions = characters.load(name)
        self.work = DRAFT if draft else FINAL
        self.name = f'{name}-draft' if draft else name
        self.folder = HERE / 'out' / self.name
        self.marks_path = self.folder / 'made.json'
        self.marks = json.loads(self.marks_path.read_text()) if self.marks_path.exists() else {}
        self.code = _code()
        self.mouth = BEARDED_MOUTH if self.character.beard == 'full' else MOUTH
        self.stage: Stage | None = None

    def run(self):
        for part in ('mouths', 'eyes'):
            (self.folder / part).mkdir(parents=True, exist_ok=True)
        waiting = [(path, pose, make) for path, pose, make in self._pictures() if not self._is_made(path, pose)]
        started = time.monotonic()
        for i, (paths, pose, make) in enumerate(waiting):
            images = make()
            for path, image in zip(paths, images):
                self._write(path, lambda file: image.save(file, 'PNG'))
            self.marks[paths[0]] = self._mark(paths[0], pose)
            self._write('made.json', lambda file: file.write(json.dumps(self.marks, indent=1).encode()))
            spent = time.monotonic() - started
            left = spent / (i + 1) * (len(waiting) - i - 1)
            done = f'{paths[0]} ({i + 1} of {len(waiting)})'
            print(f'{self.name}: {done}, {spent:.0f} s, about {left:.0f} s left', flush=True)
        self._write('face.json', lambda file: file.write(json.dumps(self._face(), indent=2).encode()))
        print(f'{self.name}: complete', flush=True)

    def _pictures(self):
        """The pictures to make: file names, pose, and a function that renders them. Rest comes first, so that
        everything in this pose shares one mesh."""
        rest = poses.REST
        yield ['background.png'], rest, self._room
        yield ['base.png'], rest, lambda: [self._render(rest, self.work.still)]
        yield ['depth.png', 'weight.png'], rest, self._maps
        states = [
            *(('mouths', state, self.mouth, MOUTH_MARGIN) for state in poses.mouths(self.expressions)),
            *(('eyes', state, EYES, EYES_MARGIN) for state in poses.eyes(self.expressions)),
        ]
        # Expressions last: the face is complete without them.
        states.sort(key=lambda each: (each[1].pose != rest, each[1].expression != 'neutral'))
        for part, state, region, margin in states:

            def make(pose=state.pose, region=region, margin=margin):
                return [self._render(pose, self.work.parts, region, margin)]

            yield [f'{part}/{state.name}.png'], state.pose, make

    def _render(self, pose, quality, region=None, margin=0):
        self._posed(pose)
        return picture(STAGE, quality, region, margin)

    def _room(self):
        room = backdrop.draw_room(self.character, UNIT // ROOM_SCALE)
        return [Image.fromarray(room.astype(np.uint8))]

    def _maps(self):
        return [Image.fromarray(plane) for plane in maps.depth_and_weight(self._posed(poses.REST), STAGE)]

    def _posed(self, pose) -> Stage:
        if self.stage is None:
            self.stage = Stage(self.character, self.work.cell, self.work.strands)
        self.stage.show(pose)
        return self.stage

    def _is_made(self, paths, pose) -> bool:
        exist = all((self.folder / path).exists() for path in paths)
        return exist and self.marks.get(paths[0]) == self._mark(paths[0], pose)

    def _mark(self, path: str, pose) -> str:
        """Changes with the character, the pose, the quality and the code."""
        region = {'mouths': self.mouth, 'eyes': EYES}.get(Path(path).parent.name)
        quality = self.work.parts if region else self.work.still
        of_what = (self.character, pose, self.work.cell, self.work.strands, quality, region, self.code)
        return hashlib.sha256(repr(of_what).encode()).hexdigest()[:16]

    def _write(self, path: str, write):
        """Writes the file atomically."""
        target = self.folder / path
        unfinished = target.with_suffix('.part')
        with unfinished.open('wb') as file:
            write(file)
        unfinished.replace(target)

    def _face(self):
        return {
            'name': self.name,
            'width': STAGE.width,
            'height': STAGE.height,
            'head': {'x': LEFT + UNIT / 2, 'y': ABOVE + HEAD_AT, 'height': HEAD_HEIGHT},
            'background': {
                'x': LEFT + backdrop.LEFT * UNIT,
                'y': ABOVE + backdrop.TOP * UNIT,
                'scale': ROOM_SCALE,
            },
            'camera': {'focal_px': STAGE.focal, 'cx': STAGE.cx, 'cy': STAGE.cy, 'distance': DISTANCE},
            'pivot': maps.PIVOT,
            'depth': {'near': maps.NEAR, 'far': maps.FAR},
            'mouth': vars(self.mouth),
            'eyes': vars(EYES),
            'lids_top': LIDS_TOP,
            **poses.describe(self.expressions),
        }


def _code() -> str:
    """The code that affects pictures, without comments. The mark covers the relevant parts of bake.py and poses.py."""
    files = [
        file for file in sorted(HERE.rglob('*.py')) if file.stem not in {'bake', 'contact_sheet', 'poses', 'preview'}
    ]
    return ''.join(ast.dump(ast.parse(file.read_text())) for file in files)


def main():
    arguments = argparse.ArgumentParser(description='Renders the pictures of one character.')
    arguments.add_argument('name', help='name of a file in characters/, without .json')
    arguments.add_argument('--draft', action='store_true', help='few samples and coarse hair; takes a few minutes')
    arguments.add_argument('views', nargs='*', help='views of a preview; default: a usual selection')
    arguments.add_argument('--preview', action='store_true', help='render only small pictures of some poses')
    arguments.add_argument('--out', type=Path, default=HERE / 'out' / 'preview', help='folder for a preview')
    given = arguments.parse_args()
    if given.preview:
        preview(given.name, given.views, given.out)
        return
    if os.getpgrp() != os.getpid():
        os.setsid()
    os.nice(19)
    PROCESS_GROUP.parent.mkdir(exist_ok=True)
    PROCESS_GROUP.write_text(str(os.getpgrp()))
    try:
        Bake(given.name, given.draft).run()
    finally:
        # A stale id may later belong to another process group.
        PROCESS_GROUP.unlink(missing_ok=True)


if __name__ == '__main__':
    main()
