"""Every picture of a face: what muscles do in it, and what the service calls it.

The smile (and with it cheeks and lower lids) is the same in all of them, so that mouths and eyes can be
combined freely.
"""

from dataclasses import dataclass, replace

# The jaw of the widest mouth; `opening` in face.json is measured against it on every lip shape.
WIDEST_JAW = 0.84


@dataclass(frozen=True)
class Pose:
    """Each muscle from 0 (at rest) to 1 (full), but `gaze`: -1 to the picture's left, 1 to its right."""

    jaw: float = 0.0
    spread: float = 0.0
    pucker: float = 0.0
    press: float = 0.0
    bite: float = 0.0
    tongue: float = 0.0
    blink: float = 0.0
    brow: float = 0.0
    gaze: float = 0.0
    smile: float = 0.44
    # What only expressions use: the brows' inner ends up and together, the lower lids up, one brow above the other.
    worry: float = 0.0
    squint: float = 0.0
    quirk: float = 0.0


@dataclass(frozen=True)
class Mouth:
    name: str
    lips: str
    pose: Pose

    @property
    def opening(self) -> float:
        return round(self.pose.jaw / WIDEST_JAW, 3)


@dataclass(frozen=True)
class Eyes:
    name: str
    pose: Pose


REST = Pose()

# What an expression adds to a pose. The bundles hold the neutral one so far.
EXPRESSIONS: dict[str, dict[str, float]] = {
    'neutral': {},
    'warm': {'smile': 0.36, 'squint': 0.55, 'brow': 0.12, 'worry': 0.12},
    'concerned': {'smile': -0.56, 'worry': 0.9, 'squint': 0.2},
    'amused': {'smile': 0.50, 'squint': 0.45, 'quirk': 0.9, 'brow': 0.15},
}


def expressed(pose: Pose, expression: str) -> Pose:
    added = EXPRESSIONS[expression]
    return replace(pose, **{muscle: getattr(pose, muscle) + amount for muscle, amount in added.items()})


def _row(lips: str, name: str, jaws: list[float], shape: dict[str, tuple[float, float]]) -> list[Mouth]:
    """Mouths of one lip shape over the jaw; a shape goes from its first value to its second as the jaw opens."""
    mouths = []
    for i, jaw in enumerate(jaws):
        share = i / (len(jaws) - 1)
        muscles = {muscle: start + (end - start) * share for muscle, (start, end) in shape.items()}
        mouths.append(Mouth(f'{name}_{i + 1}', lips, Pose(jaw=round(jaw, 4), **muscles)))
    return mouths


MOUTHS = [
    Mouth('rest', 'neutral', REST),
    Mouth('pressed', 'pressed', Pose(press=1)),
    Mouth('teeth_on_lip', 'teeth_on_lip', Pose(bite=1, jaw=0.05)),
    Mouth('tongue', 'tongue', Pose(tongue=1, jaw=0.28, spread=0.15)),
    *_row('neutral', 'open', [WIDEST_JAW * i / 6 for i in range(1, 7)], {}),
    *_row('spread', 'spread', [0.03, 0.14, 0.26, 0.39, 0.52], {'spread': (1.0, 0.75)}),
    *_row('rounded', 'round', [0.04, 0.16, 0.29, 0.43, 0.57], {'pucker': (1.0, 0.75)}),
]

EYES = [
    Eyes('rest', REST),
    Eyes('half', Pose(blink=0.5)),
    Eyes('closed', Pose(blink=1)),
    Eyes('brows_up', Pose(brow=1)),
    Eyes('look_left', Pose(gaze=-0.6)),
    Eyes('look_right', Pose(gaze=0.6)),
]

# What a preview can show.
USUAL_VIEWS = ['rest', 'open', 'p', 'f', 'closed', 'glance', 'smile']
VIEWS = {
    'rest': REST,
    'open': Pose(jaw=WIDEST_JAW),
    'p': Pose(press=1),
    'f': Pose(bite=1, jaw=0.05),
    'closed': Pose(blink=1),
    'glance': Pose(gaze=0.6),
    'smile': Pose(smile=0.9, squint=0.4),
    'half': Pose(blink=0.5),
    'brows_up': Pose(brow=1),
    'ee': Pose(spread=0.9, jaw=0.26),
    'oo': Pose(pucker=0.9, jaw=0.29),
    'tongue': Pose(tongue=1, jaw=0.28, spread=0.15),
    **{name: expressed(REST, name) for name in EXPRESSIONS},
    **{f'{name}_open': expressed(Pose(jaw=0.4), name) for name in EXPRESSIONS},
}


def describe() -> dict:
    """The part of face.json that names the pictures."""
    return {
        'mouths': [{'name': m.name, 'lips': m.lips, 'opening': m.opening} for m in MOUTHS],
        'eye_states': [
            {
                'name': e.name,
                'lids': e.pose.blink,
                'gaze': (e.pose.gaze > 0) - (e.pose.gaze < 0),
                'brows': int(e.pose.brow),
            }
            for e in EYES
        ],
    }
