"""The pictures that the camera takes, as rectangles of one endless picture plane."""

from dataclasses import dataclass

DISTANCE = 7.9  # From the camera to the model's z = 0.
LENS, SENSOR = 85, 36  # In millimetres: SENSOR spans `UNIT` pixels.
UNIT = 512
MIDDLE = -0.12  # The height in the middle of a portrait, at z = 0.


@dataclass(frozen=True)
class Film:
    """A picture in pixels. The camera looks straight down -z; (cx, cy) is the point that it looks at."""

    width: int
    height: int
    cx: float
    cy: float
    scale: float = 1.0  # Pixels per pixel of a portrait.

    @property
    def focal(self) -> float:
        return self.scale * UNIT * LENS / SENSOR

    def times(self, factor: int) -> 'Film':
        return Film(*(side * factor for side in (self.width, self.height, self.cx, self.cy)), self.scale * factor)


_LOOKED_AT = UNIT / 2 + MIDDLE / DISTANCE * LENS / SENSOR * UNIT

PORTRAIT = Film(UNIT, UNIT, UNIT / 2, _LOOKED_AT)
# The whole stage: from above the hair to the hips, with both elbows.
LEFT, ABOVE = 96, 16  # Of the portrait in the stage.
STAGE = Film(704, 960, UNIT / 2 + LEFT, _LOOKED_AT + ABOVE)
