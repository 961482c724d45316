import type { Expression } from '../../bundle/expressions.ts';
import type { Face } from '../../bundle/open-bundle.ts';
import type { LipShape, Mouth } from '../../bundle/visemes.ts';
import type { FaceMemory, Fitted, Sprite } from './face.ts';
import type { Life } from './life.ts';

/** A sprite and its weight, of 256. */
export type Look = { fitted: Fitted; weight: number };

const FULL = 256;
/** Weights are multiples of this, so that a mouth that hardly changes is not redrawn. */
const STEP = 64;
/** Time from lips at rest to fully spread or rounded. */
const LIPS_MS = 55;
/** Lids closed further than this hide the gaze. */
const COVERED = 0.2;

type Level<T> = { value: number; of: T };
/** The mouths of one lip shape and strength, by opening. */
type Row = { strength: number; levels: Level<Sprite>[] };

/** Selects the sprites for mouth and eyes in one expression. */
export class Looks {
  readonly #isNeutral: boolean;
  readonly #mouths = new Map<LipShape, Row[]>();
  readonly #lids: Level<Sprite>[];
  readonly #gaze: Level<Sprite>[];
  readonly #brows: Level<Sprite>[];

  constructor(face: Face, memory: FaceMemory, expression: Expression = 'neutral') {
    this.#isNeutral = expression === 'neutral';
    face.mouths.forEach((mouth, i) => {
      if (mouth.expression === expression) this.#put(mouth, memory.mouths[i]!);
    });
    const eyes = face.eyes
      .map((state, i) => ({ ...state, of: memory.eyes[i]! }))
      .filter((state) => state.expression === expression);
    const row = (key: 'lids' | 'gaze' | 'brows', otherKeys: ('lids' | 'gaze' | 'brows')[]) =>
      eyes
        .filter((state) => otherKeys.every((otherKey) => state[otherKey] === 0))
        .map((state) => ({ value: state[key], of: state.of }))
        .sort(byValue);
    this.#lids = row('lids', ['gaze', 'brows']);
    this.#gaze = row('gaze', ['lids', 'brows']);
    this.#brows = row('brows', ['lids', 'gaze']);
  }

  /**
   * The two nearest openings of the lip shape, blended. A bundle without the shape shows the most
   * similar one.
   */
  ofMouth({ lips, strength, opening }: Mouth): Look[] {
    const rows = this.#mouths.get(lips) ?? this.#mouths.get(SIMILAR[lips]) ?? [];
    // Neutral lips stand for zero strength of any shape.
    const neutral = (this.#mouths.get('neutral') ?? []).map((row) => ({ ...row, strength: 0 }));
    const row = nearest([...rows, ...neutral], strength, (each) => each.strength);
    return row ? between(row.levels, opening) : [];
  }

  /**
   * Lids hide the gaze, and brows add to both. Pictures of an expression include its brows, so
   * there raised brows need open eyes that look at the viewer.
   */
  ofEyes({ lids, gaze, brows }: Life): Look[] {
    const eyeLooks = lids > COVERED ? whole(this.#lids, lids) : whole(this.#gaze, gaze);
    const browLooks = whole(this.#brows, brows);
    if (this.#isNeutral) return [...eyeLooks, ...browLooks];
    return brows > 0 && lids <= COVERED && gaze === 0 ? browLooks : eyeLooks;
  }

  #put({ lips, strength, opening }: Face['mouths'][number], of: Sprite) {
    const rows = this.#mouths.get(lips) ?? [];
    const row = rows.find((each) => each.strength === strength) ?? { strength, levels: [] };
    if (!rows.includes(row)) rows.push(row);
    row.levels.push({ value: opening, of });
    row.levels.sort(byValue);
    this.#mouths.set(lips, rows);
  }
}

/** The lip shape to show where a bundle lacks one. */
const SIMILAR: Record<LipShape, LipShape> = {
  neutral: 'neutral',
  spread: 'neutral',
  rounded: 'neutral',
  flared: 'rounded',
  pressed: 'neutral',
  teeth_on_lip: 'neutral',
  tongue: 'neutral',
};

/** Cross-fades from `looks` to `nextLooks`; `share` (0..1) is the weight of `nextLooks`. */
export function mixed(looks: Look[], nextLooks: Look[], share: number): Look[] {
  const of = (layer: Look[], weight: number) =>
    layer.map((look) => ({ ...look, weight: (look.weight * weight) / FULL }));
  const weight = Math.round((share * FULL) / STEP) * STEP;
  return [...of(looks, FULL - weight), ...of(nextLooks, weight)].filter((look) => look.weight > 0);
}

/**
 * The mouth `passedMs` after `from` on the way to `to`. Lips move gradually only between rounded
 * and spread. Other shapes change at once, as real lips do at 25 fps: blending would show two
 * pairs of lips.
 */
export function mouthBetween(from: Mouth, to: Mouth, passedMs: number): Mouth {
  const [spread, targetSpread] = [spreadOf(from), spreadOf(to)];
  if (spread === null || targetSpread === null) return to;
  const step = passedMs / LIPS_MS;
  const reached = Math.max(spread - step, Math.min(spread + step, targetSpread));
  if (reached === targetSpread) return to;
  const lips = reached < 0 ? 'rounded' : reached > 0 ? 'spread' : 'neutral';
  return { lips, strength: Math.abs(reached), opening: to.opening };
}

/** -1 fully rounded, 1 fully spread; null for lips that are neither. */
function spreadOf({ lips, strength }: Mouth): number | null {
  if (lips === 'spread') return strength;
  if (lips === 'rounded') return -strength;
  return lips === 'neutral' ? 0 : null;
}

const byValue = (a: Level<unknown>, b: Level<unknown>) => a.value - b.value;

function nearest<T>(items: T[], value: number, of: (item: T) => number): T | undefined {
  let best = items[0];
  for (const item of items) {
    if (best && Math.abs(of(item) - value) < Math.abs(of(best) - value)) best = item;
  }
  return best;
}

/** Exactly one level: blended lids and brows would appear twice. */
function whole(row: Level<Sprite>[], value: number): Look[] {
  const level = nearest(row, value, (each) => each.value);
  return level ? [{ fitted: level.of.fitted, weight: FULL }] : [];
}

function between(row: Level<Sprite>[], value: number): Look[] {
  const above = row.findIndex((level) => level.value >= value);
  const upper = row[above === -1 ? row.length - 1 : above];
  const lower = above > 0 ? row[above - 1] : undefined;
  if (!upper) return [];
  if (!lower) return [{ fitted: upper.of.fitted, weight: FULL }];
  const share = (value - lower.value) / (upper.value - lower.value);
  const weight = Math.round((share * FULL) / STEP) * STEP;
  return [
    { sprite: lower.of, weight: FULL - weight },
    { sprite: upper.of, weight },
  ]
    .filter((level) => level.weight > 0)
    .map((level) => ({ fitted: level.sprite.fitted, weight: level.weight }));
}
