"""Every picture of a face: the muscle settings, and the name used by the service.

The smile (and with it cheeks and lower lids) is the same in all of them, so that any mouth combines with any
eyes.
"""

from dataclasses import dataclass, replace

# The jaw of the widest mouth. `opening` in face.json is relative to it for every lip shape.
WIDEST_JAW = 0.84


@dataclass(frozen=True)
class Pose:
    """Each muscle from 0 (rest) to 1 (full). `gaze` is -1 to the picture's left and 1 to its right."""

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
    # Used by expressions only: inner ends of the brows up and together, lower lids up, one brow above the other.
    worry: float = 0.0
    squint: float = 0.0
    quirk: float = 0.0


@dataclass(frozen=True)
class Mouth:
    name: str
    lips: str
    pose: Pose
    strength: float = 1.0  # Strength of the lip shape; 1 for neutral lips.
    expression: str = 'neutral'

    @property
    def opening(self) -> float:
        return round(self.pose.jaw / WIDEST_JAW, 3)


@dataclass(frozen=True)
class Eyes:
    name: str
    pose: Pose
    lids: float = 0.0
    gaze: float = 0.0
    brows: float = 0.0
    expression: str = 'neutral'


REST = Pose()

# Values that an expression adds to a pose.
EXPRESSIONS: dict[str, dict[str, float]] = {
    'neutral': {},
    'warm': {'smile': 0.36, 'squint': 0.55, 'brow': 0.12, 'worry': 0.12},
    'concerned': {'smile': -0.56, 'worry': 0.9, 'squint': 0.2},
    'amused': {'smile': 0.50, 'squint': 0.45, 'quirk': 0.9, 'brow': 0.15},
}
# Pictures of mouths and eyes overlap and are added, so each muscle may move in only one of them.
OF_MOUTHS = {'smile'}


def expressed(pose: Pose, expression: str, muscles: set[str] | None = None) -> Pose:
    """A pose with an expression, or with the expression's share in the given muscles."""
    added = {muscle: amount for muscle, amount in EXPRESSIONS[expression].items() if not muscles or muscle in muscles}
    return replace(pose, **{muscle: getattr(pose, muscle) + amount for muscle, amount in added.items()})


def _row(lips: str, name: str, jaws: list[float], strength: float = 1.0, **shape: tuple[float, float]) -> list[Mouth]:
    """Mouths of one lip shape over the jaw. A muscle moves from its first to its second value as the jaw opens."""
    mouths = []
    for i, jaw in enumerate(jaws):
        share = i / (len(jaws) - 1)
        muscles = {muscle: start + (end - start) * share for muscle, (start, end) in shape.items()}
        mouths.append(Mouth(f'{name}_{i + 1}', lips, Pose(jaw=round(jaw, 4), **muscles), strength))
    return mouths


# Denser where the mouth is nearly shut: small steps are visible there.
NEUTRAL_MOUTHS = [
    Mouth('rest', 'neutral', REST),
    *_row('neutral', 'open', [WIDEST_JAW * share for share in (0.07, 0.16, 0.28, 0.43, 0.60, 0.79, 1.0)]),
    *_row('spread', 'spread', [0.03, 0.09, 0.17, 0.27, 0.39, 0.54], spread=(1.0, 0.75)),
    *_row('spread', 'half_spread', [0.03, 0.11, 0.21, 0.34, 0.49, 0.66], 0.5, spread=(0.5, 0.4)),
    *_row('rounded', 'round', [0.04, 0.10, 0.18, 0.29, 0.42, 0.58], pucker=(1.0, 0.75)),
    *_row('rounded', 'half_round', [0.04, 0.13, 0.24, 0.37, 0.53, 0.70], 0.5, pucker=(0.5, 0.42)),
    *_row('flared', 'flared', [0.03, 0.09, 0.17, 0.27], pucker=(0.55, 0.5), spread=(0.85, 0.7)),
    Mouth('pressed_1', 'pressed', Pose(press=1)),
    Mouth('pressed_2', 'pressed', Pose(press=0.6, jaw=0.06)),
    Mouth('teeth_on_lip_1', 'teeth_on_lip', Pose(bite=1, jaw=0.05)),
    Mouth('teeth_on_lip_2', 'teeth_on_lip', Pose(bite=0.8, jaw=0.16)),
    *_row('tongue', 'tongue', [0.16, 0.28, 0.46], tongue=(1.0, 0.85), spread=(0.15, 0.15)),
]

# The widest glance without a head turn.
WIDEST_GAZE = 0.6
NEUTRAL_EYES = [
    Eyes('rest', REST),
    *(Eyes(f'lids_{round(100 * lids)}', Pose(blink=lids), lids=lids) for lids in (0.25, 0.5, 0.75, 1.0)),
    *(
        Eyes(f'gaze_{name}', Pose(gaze=WIDEST_GAZE * gaze), gaze=gaze)
        for name, gaze in (('left', -1.0), ('half_left', -0.5), ('half_right', 0.5), ('right', 1.0))
    ),
    *(Eyes(f'brows_{i}', Pose(brow=brows), brows=round(brows, 3)) for i, brows in ((1, 1 / 3), (2, 2 / 3), (3, 1.0))),
]

# The poses that have pictures for each expression. Expressions last only moments, so fewer suffice.
EXPRESSED_MOUTHS = [
    'rest',
    *('open_2', 'open_4', 'open_5', 'open_7'),
    *('spread_1', 'spread_3', 'spread_5'),
    *('round_1', 'round_3', 'round_5'),
    *('pressed_1', 'teeth_on_lip_1', 'tongue_2'),
]
EXPRESSED_EYES = ['rest', 'lids_50', 'lids_100', 'gaze_left', 'gaze_right', 'brows_3']


def mouths(expressions: list[str]) -> list[Mouth]:
    """All mouths of a character with these expressions besides the neutral one."""
    return NEUTRAL_MOUTHS + [
        replace(
            mouth,
            name=f'{expression}_{mouth.name}',
            pose=expressed(mouth.pose, expression, OF_MOUTHS),
            expression=expression,
        )
        for expression in expressions
        for mouth in NEUTRAL_MOUTHS
        if mouth.name in EXPRESSED_MOUTHS
    ]


def eyes(expressions: list[str]) -> list[Eyes]:
    return NEUTRAL_EYES + [
        replace(
            state,
            name=f'{expression}_{state.name}',
            pose=expressed(state.pose, expression, set(EXPRESSIONS[expression]) - OF_MOUTHS),
            expression=expression,
        )
        for expression in expressions
        for state in NEUTRAL_EYES
        if state.name in EXPRESSED_EYES
    ]


# Views of a preview.
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
    'flared': Pose(pucker=0.55, spread=0.85, jaw=0.09),
    'tongue': Pose(tongue=1, jaw=0.28, spread=0.15),
    **{name: expressed(REST, name) for name in EXPRESSIONS},
    **{f'{name}_open': expressed(Pose(jaw=0.4), name) for name in EXPRESSIONS},
}


def describe(expressions: list[str]) -> dict:
    """The part of face.json that names the pictures."""
    return {
        'mouths': [
            {
                'name': m.name,
                'lips': m.lips,
                'strength': m.strength,
                'opening': m.opening,
                'expression': m.expression,
            }
            for m in mouths(expressions)
        ],
        'eye_states': [
            {'name': e.name, 'lids': e.lids, 'gaze': e.gaze, 'brows': e.brows, 'expression': e.expression}
            for e in eyes(expressions)
        ],
    }
