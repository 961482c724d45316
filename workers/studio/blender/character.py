"""The parameters of a character. All lengths are model units, all colours linear RGB."""

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
    age: float  # 0 is about 25 years, 1 about 70: folds, lines and texture of the skin.
    # Hair pigment: 0 white, 1 black. Redness shifts it from brown to copper.
    melanin: float
    redness: float
    clothes: str  # 'crew', 'turtleneck', 'shirt' or 'blazer'
    cloth: Colour
    under: Colour  # Colour of the turtleneck under a blazer.
    beard: str  # '', 'stubble' or 'full'
    glasses: str  # '', 'round' or 'square'
    glasses_colour: Colour
    earrings: bool
    # Two tones of the blurred room and the colour of its lights, in display values (sRGB).
    room: tuple[Colour, Colour, Colour]
    scene: str  # A name in backdrop.SCENES.

    hair: str  # A name in hairline.HEIGHTS.
    grey: float  # Share of white hairs, also in the beard.
    hair_length: float
    parting: float  # The parting's position on x.
    hairline: float  # Height of the hairline above its default.

    face_length: float  # Extra length between nose and chin.
    jaw_width: float
    chin: float  # How far the chin protrudes.
    cheek: float
    nose_width: float
    nose_length: float
    ears: float  # Size.
    eye_size: float
    eye_open: float  # How far the lids open; above 1 the eyes stare.
    lid_line: float  # Darkness of the upper lid's edge.
    lash_length: float
    lashes: int  # Count per upper lid.
    mouth_width: float
    lip_fullness: float
    brow_thickness: float
    brow_arch: float
    brows: int  # Hairs per brow.
    neck: float  # Radius.


def load(name: str) -> tuple[Character, list[str]]:
    """The character and its expressions besides the neutral one."""
    path = Path(__file__).parent / 'characters' / f'{name}.json'
    values = json.loads(path.read_text())
    expressions = values.pop('expressions', [])
    known = {field.name for field in fields(Character)}
    if values.keys() | {'name'} != known:
        raise ValueError(f'{path.name}: missing or unknown {sorted(known ^ (values.keys() | {"name"}))}')
    return Character(name=name, **values), expressions
