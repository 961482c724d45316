import type { Area } from '../../bundle/pictures.ts';
import { blurRaster } from '../picture/blur.ts';
import type { FaceLight } from '../face/face-light.ts';
import type { Head } from '../face/head-crop.ts';
import type { MeasuredLips } from './lips.ts';
import type { MouthForm } from './mouth-forms.ts';
import { drawInside, drawTip, type MouthInside } from './mouth-inside.ts';
import { mouthMoves } from './mouth-moves.ts';
import { type MouthShape, shapeOf } from './mouth-shape.ts';
import { layPictureTeeth } from './picture-teeth.ts';
import { heightAt } from '../face/profile.ts';
import { clamp, ramp, type Raster, raster, sample } from '../picture/raster.ts';

/** Shared input for all mouths of a head. */
export type MouthStage = {
  head: Head;
  lips: MeasuredLips;
  light: FaceLight;
  /** The photo shows teeth to keep. */
  hasTeeth: boolean;
  area: Area;
};

/** Protruding lips shade the teeth. */
const PUCKER_SHADES = 0.22;
const PUCKER_HIDES = 0.85;
/** Millimetres of opening. */
const TEETH_HIDDEN = 0.8;
const TEETH_SEEN = 2.4;

/** A full kiss does not go with smiling cheeks. */
const SMILING_PUCKER = 0.7;

const smiling = (form: MouthForm): MouthForm => ({
  ...form,
  pucker: SMILING_PUCKER * form.pucker,
  width: form.width + (1 - SMILING_PUCKER) * form.pucker * (1 - form.width),
});

/** One mouth: the area with everything that moves in it. */
export function drawMouth(stage: MouthStage, plainForm: MouthForm): Raster {
  const { head, lips, light, area } = stage;
  const form = stage.hasTeeth ? smiling(plainForm) : plainForm;
  const shape = shapeOf(lips, form, head.mm);
  const moves = mouthMoves(head, lips, shape, area);
  const picture = raster(area.width, area.height);
  const inside = raster(area.width, area.height);
  const drawn: MouthInside = { light, shape, form, mm: head.mm, hasTeeth: stage.hasTeeth };
  drawInside(drawn, area, inside.values);
  blurRaster(inside, light.softness);
  if (stage.hasTeeth) {
    const hidden = PUCKER_HIDES * form.pucker ** 2;
    const visibility = ramp(TEETH_HIDDEN, TEETH_SEEN, form.drop + form.raise) * (1 - hidden);
    layPictureTeeth(head, visibility, PUCKER_SHADES * form.pucker, area, inside.values);
  }
  if (form.tongue > 0) drawTip(drawn, area, inside.values);

  const colour = new Float32Array(4);
  for (let row = 0; row < area.height; row++) {
    for (let column = 0; column < area.width; column++) {
      const at = row * area.width + column;
      const [x, y] = [area.x + column, area.y + row];
      sample(head.picture, x + moves.dx[at]!, y + moves.dy[at]!, colour);
      const edge = edgeAt(shape, x, y);
      const crease = creaseAt(lips, edge);
      const share = opennessAt(edge, light.softness);
      for (let channel = 0; channel < 3; channel++) {
        const skin = colour[channel]! * (1 - crease * CREASE_TINT[channel]!);
        picture.values[4 * at + channel] = skin + (inside.values[4 * at + channel]! - skin) * share;
      }
      picture.values[4 * at + 3] = colour[3]!;
    }
  }
  return picture;
}

/**
 * A pixel's distance inside its nearer edge of the opening (negative outside), and the height of
 * the opening there.
 */
type Edge = { within: number; gap: number; u: number };

function edgeAt(shape: MouthShape, x: number, y: number): Edge {
  const u = (x - shape.middle) / shape.halfWidth;
  if (Math.abs(u) >= 1) return { within: -Infinity, gap: 0, u };
  const upper = heightAt(shape.upperInner, u);
  const lower = heightAt(shape.lowerInner, u);
  const isUpper = y < (upper + lower) / 2;
  const rise = slopeOf(isUpper ? shape.upperInner : shape.lowerInner, u) / shape.halfWidth;
  const within = (isUpper ? y - upper : lower - y) / Math.sqrt(1 + rise * rise);
  return { within, gap: lower - upper, u };
}

const slopeOf = (of: Float64Array, u: number) =>
  (heightAt(of, u + 0.02) - heightAt(of, u - 0.02)) / 0.04;

const opennessAt = ({ within }: Edge, softness: number) => ramp(-0.2, 1.6 * softness, within);

/** Draws the dark line between lips that meet. The photo of a smile has no such line. */
const CREASE = 0.5;
const INNER_SHADE = 0.16;
/** Pixels of opening at which lips no longer meet. */
const MET = 3.5;

function creaseAt(lips: MeasuredLips, { within, gap, u }: Edge): number {
  if (within === -Infinity) return 0;
  const parted = clamp(gap / MET, 0, 1);
  const depth = lips.isOpen ? CREASE + (INNER_SHADE - CREASE) * parted : INNER_SHADE * parted;
  const out = Math.max(0, -within) / (1.1 + 0.8 * parted);
  return depth * Math.exp(-out * out) * (1 - Math.abs(u) ** 8);
}

/** Light between lips is red. */
const CREASE_TINT = [0.82, 1, 0.97];
