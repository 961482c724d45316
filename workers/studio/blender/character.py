"""What makes one character differ from another. All lengths are model units, all colours linear RGB."""

import json
from dataclasses import dataclass, fields
from pathlib import Path

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Character:
    name: str
    seed: int

    skin: Colour
    lip: Colour
    blush: Colour
    blush_amount: float
    freckles: float
    iris: Colour
    age: float  # 0 about twenty-five, 1 about seventy: folds, lines and texture of the skin.
    # The hair pigment: 0 white, 1 black; redness shifts it from brown to copper.
    melanin: float
    redness: float
    clothes: str  # 'crew', 'turtleneck', 'shirt' or 'blazer'
    cloth: Colour
    under: Colour  # What a blazer is worn over.
    beard: str  # '', 'stubble' or 'full'
    glasses: str  # '', 'round' or 'square'
    glasses_colour: Colour
    earrings: bool
    # Two tones of the blurred room and the colour of its light things, in display values (sRGB).
    room: tuple[Colour, Colour, Colour]
    scene: str  # A name in backdrop.SCENES.

    hair: str  # A name in hairline.HEIGHTS.
    grey: float  # The share of white hairs, of the beard too.
    hair_length: float
    parting: float  # Where on x the hair is parted.
    hairline: float  # How far the hairline stands above its usual place.

    face_length: float  # Added between nose and chin.
    jaw_width: float
    chin: float  # How far the chin stands forward.
    cheek: float
    nose_width: float
    nose_length: float
    ears: float  # Their size.
    eye_size: float
    eye_open: float  # How far the lids open; more than 1 stares.
    lid_line: float  # How dark the edge of the upper lid is.
    lash_length: float
    lashes: int  # Of one upper lid.
    mouth_width: float
    lip_fullness: float
    brow_thickness: float
    brow_arch: float
    brows: int  # Hairs of one brow.
    neck: float  # Radius.


def load(name: str) -> tuple[Character, list[str]]:
    """The character and the expressions that it has beside the neutral one."""
    path = Path(__file__).parent / 'characters' / f'{name}.json'
    values = json.loads(path.read_text())
    expressions = values.pop('expressions', [])
    known = {field.name for field in fields(Character)}
    if values.keys() | {'name'} != known:
        raise ValueError(f'{path.name}: missing or unknown {sorted(known ^ (values.keys() | {"name"}))}')
    return Character(name=name, **values), expressions
