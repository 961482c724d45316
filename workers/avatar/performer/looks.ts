import type { Face } from '../bundle/open.ts';
import type { LipShape, Mouth } from '../lipsync/visemes.ts';
import type { FaceMemory, Fitted } from './face.ts';
import type { Life } from './life.ts';

/** A sprite and how much of it is fitted in, of 256. */
export type Look = { fitted: Fitted; weight: number };

const FULL = 256;
/** Weights move in steps of this: a mouth that hardly changes is not fitted anew. */
const STEP = 64;

type Level<T> = { value: number; of: T };

/** Which of a bundle's sprites show a mouth and the eyes. */
export class Looks {
  readonly #mouths = new Map<LipShape, Level<Fitted>[]>();
  readonly #lids: Level<Fitted>[];
  readonly #gaze: Level<Fitted>[];
  readonly #brows: Level<Fitted>[];

  constructor(face: Face, memory: FaceMemory) {
    face.mouths.forEach(({ lips, opening }, i) => {
      const row = this.#mouths.get(lips) ?? [];
      row.push({ value: opening, of: memory.mouths[i]! });
      this.#mouths.set(
        lips,
        row.sort((one, other) => one.value - other.value),
      );
    });
    const eyes = face.eyes.map((state, i) => ({ ...state, of: memory.eyes[i]! }));
    const row = (key: 'lids' | 'gaze' | 'brows', others: ('lids' | 'gaze' | 'brows')[]) =>
      eyes
        .filter((state) => others.every((other) => state[other] === 0))
        .map((state) => ({ value: state[key], of: state.of }))
        .sort((one, other) => one.value - other.value);
    this.#lids = row('lids', ['gaze', 'brows']);
    this.#gaze = row('gaze', ['lids', 'brows']);
    this.#brows = row('brows', ['lids', 'gaze']);
  }

  /** The two nearest openings of these lips, in proportion. A bundle that lacks these lips shows neutral ones. */
  ofMouth({ lips, opening }: Mouth): Look[] {
    return between(this.#mouths.get(lips) ?? this.#mouths.get('neutral') ?? [], opening);
  }

  /** Lids cover the gaze; brows add to both. */
  ofEyes({ lids, gaze, brows }: Life): Look[] {
    const seen = lids > 0.25 ? nearest(this.#lids, lids) : nearest(this.#gaze, gaze);
    return [...seen, ...between(this.#brows, brows)];
  }
}

/**
 * One frame on the way from one mouth to another. Lips pass through neutral between spread and rounded; all other shapes follow each other at once,
 * as in life at 25 frames a second. Mixing two shapes instead would show two pairs of lips.
 */
export function mouthBetween(from: Mouth, to: Mouth): Mouth {
  const isOpposite =
    (from.lips === 'spread' && to.lips === 'rounded') ||
    (from.lips === 'rounded' && to.lips === 'spread');
  if (!isOpposite) return to;
  return { lips: 'neutral', opening: (from.opening + to.opening) / 2 };
}

function nearest(row: Level<Fitted>[], value: number): Look[] {
  let best = row[0];
  for (const level of row) {
    if (best && Math.abs(level.value - value) < Math.abs(best.value - value)) best = level;
  }
  return best ? [{ fitted: best.of, weight: FULL }] : [];
}

function between(row: Level<Fitted>[], value: number): Look[] {
  const above = row.findIndex((level) => level.value >= value);
  const upper = row[above === -1 ? row.length - 1 : above];
  const lower = above > 0 ? row[above - 1] : undefined;
  if (!upper) return [];
  if (!lower) return [{ fitted: upper.of, weight: FULL }];
  const share = (value - lower.value) / (upper.value - lower.value);
  const weight = Math.round((share * FULL) / STEP) * STEP;
  return [
    { fitted: lower.of, weight: FULL - weight },
    { fitted: upper.of, weight },
  ].filter((look) => look.weight > 0);
}
