import type { Area } from '../../bundle/pictures.ts';
import type { FaceLight } from '../face/face-light.ts';
import type { MouthForm } from './mouth-forms.ts';
import type { MouthShape } from './mouth-shape.ts';
import { heightAt } from '../face/profile.ts';
import { clamp, type Colour, ramp } from '../picture/raster.ts';

/*
 * Draws what an opening mouth shows and the photo does not: the dark cavity, tongue, lower teeth,
 * upper teeth, and the lip's shadow on them. Lengths are millimetres from the middle of the closed
 * lips' line, x to the right and y down. Upper teeth move with the head, lower teeth with the jaw.
 */

/** How far the upper teeth reach below the closed lips' line, and the lower ones above it. */
const UPPER_EDGE = 1.7;
const LOWER_EDGE = 0.6;
/** Tooth widths from the middle outward. The row lies on an arch. */
const UPPER_WIDTHS = [8.3, 6.5, 7.4, 6.8, 6.6, 8];
const LOWER_WIDTHS = [5.3, 5.8, 6.6, 6.8, 7, 8];
const UPPER_SHORTER = [0, 0.55, 0.15, 0.7, 0.9, 1.2];
const UPPER_ARCH = 23;
const LOWER_ARCH = 20;

const DARK: Colour = [0.25, 0.08, 0.065];
const FLESH: Colour = [0.72, 0.36, 0.34];
const ENAMEL: Colour = [0.93, 0.9, 0.83];
const LOWER_ENAMEL = 0.82;

export type MouthInside = {
  light: FaceLight;
  shape: MouthShape;
  form: MouthForm;
  mm: number;
  /** The photo's own upper teeth, if any, are drawn over it. */
  hasTeeth: boolean;
};

function insideAt(inside: MouthInside, x: number, y: number, into: Colour) {
  const { shape, form, mm, light } = inside;
  const middle = heightAt(shape.upperInner, 0) + shape.raise;
  const across = (x - shape.middle) / mm;
  const down = (y - middle) / mm;
  const drop = shape.drop / mm;
  const u = clamp((x - shape.middle) / shape.halfWidth, -1, 1);

  set(into, DARK, 1 + 0.5 * ramp(0, Math.max(1, drop), down));
  drawTongue(into, across, down, drop, shape.halfWidth / mm);
  drawTeeth(
    into,
    across,
    down - (drop * 0.93 - LOWER_EDGE),
    LOWER_WIDTHS,
    LOWER_ARCH,
    LOWER_ENAMEL,
    null,
  );
  if (!inside.hasTeeth) {
    const lit = 1 - 0.7 * form.pucker;
    drawTeeth(into, across, UPPER_EDGE - down, UPPER_WIDTHS, UPPER_ARCH, lit, UPPER_SHORTER);
  }

  const below = (y - heightAt(shape.upperInner, u)) / mm;
  // Protruding lips shade everything behind them.
  const shade = (0.52 + 0.48 * ramp(-0.5, 3.4, below)) * (1 - 0.4 * form.pucker);
  const aside = 1 - 0.6 * Math.abs(u) ** 3;
  for (let channel = 0; channel < 3; channel++) {
    into[channel] = into[channel]! * shade * aside * light.white[channel]!;
  }
}

function set(into: Colour, colour: Colour, by: number) {
  for (let channel = 0; channel < 3; channel++) into[channel] = colour[channel]! * by;
}

function mix(into: Colour, colour: Colour, by: number, share: number) {
  for (let channel = 0; channel < 3; channel++) {
    into[channel] = into[channel]! + (colour[channel]! * by - into[channel]!) * share;
  }
}

/** The tongue lies on the floor of the mouth. */
function drawTongue(into: Colour, across: number, down: number, drop: number, halfWidth: number) {
  const top = 0.52 * drop + 2.2;
  const wide = Math.min(halfWidth * 0.74, 15);
  const high = Math.max(3, drop - top + 2.5);
  const share = ramp(1.04, 0.86, Math.hypot(across / wide, Math.min(0, down - top - high) / high));
  const groove = 1 - 0.13 * Math.exp(-((across / 1.3) ** 2));
  const lit = 0.5 + 0.42 * ramp(0, 4, down - top) * (1 - 0.35 * (across / wide) ** 2);
  mix(into, FLESH, lit * groove, share);
}

/** How far below the closed lips' line the tip starts: behind the edge of the upper teeth. */
const TIP_TOP = 1.5;
const TIP_WIDE = 15;
const TIP: Colour = [0.8, 0.47, 0.45];

/** The tip of the tongue for `th` and `l`, drawn over the rest of the mouth. */
export function drawTip({ light, shape, form, mm }: MouthInside, area: Area, into: Float32Array) {
  const middle = heightAt(shape.upperInner, 0) + shape.raise;
  const high = Math.max(2, shape.drop / mm - TIP_TOP + 1);
  for (let row = 0; row < area.height; row++) {
    const down = (area.y + row - middle) / mm - TIP_TOP;
    if (down < -1 || down > 2 * high) continue;
    for (let column = 0; column < area.width; column++) {
      const at = 4 * (row * area.width + column);
      if (into[at + 3] === 0) continue;
      const across = (area.x + column - shape.middle) / mm / TIP_WIDE;
      const share =
        form.tongue * ramp(1.08, 0.86, Math.hypot(across ** 2, Math.min(0, down - high) / high));
      const lit =
        0.66 + 0.3 * ramp(0, 2.6, down) - 0.2 * across * across - 0.1 * ramp(0.5, 1, down / high);
      for (let channel = 0; channel < 3; channel++) {
        const flesh = TIP[channel]! * lit * light.white[channel]!;
        into[at + channel] = into[at + channel]! + (flesh - into[at + channel]!) * share;
      }
    }
  }
}

/** `above` is the distance inside the row, from its biting edge. */
function drawTeeth(
  into: Colour,
  across: number,
  above: number,
  widths: number[],
  arch: number,
  brightness: number,
  shorter: number[] | null,
) {
  const side = Math.abs(across);
  if (side >= arch) return;
  // Along the arch, so that teeth at the side are seen edge on.
  const angle = Math.asin(side / arch);
  let from = 0;
  let tooth = 0;
  while (tooth < widths.length - 1 && angle * arch > from + widths[tooth]!)
    from += widths[tooth++]!;
  const within = clamp((2 * (angle * arch - from)) / widths[tooth]! - 1, -1, 1);

  const rounding = 0.55 * within ** 4;
  const smile = 0.0042 * side * side;
  const inside = above - rounding - smile - (shorter?.[tooth] ?? 0);
  const share = ramp(-0.25, 0.35, inside);
  if (share <= 0) return;
  const gap = 1 - 0.2 * Math.abs(within) ** 12;
  const edge = 0.9 + 0.1 * ramp(0, 1.4, inside);
  const away = Math.cos(angle) ** 0.8;
  mix(into, ENAMEL, brightness * gap * edge * away, share);
}

/**
 * Colours of the opening in the area; the caller blurs them by `softness`. Only rows and columns
 * near the opening are drawn.
 */
export function drawInside(inside: MouthInside, area: Area, into: Float32Array) {
  const colour: Colour = [0, 0, 0];
  const { shape } = inside;
  const leftColumn = Math.max(0, Math.floor(shape.middle - shape.halfWidth - 3 - area.x));
  const rightColumn = Math.min(area.width, Math.ceil(shape.middle + shape.halfWidth + 3 - area.x));
  for (let column = leftColumn; column < rightColumn; column++) {
    const u = (area.x + column - shape.middle) / shape.halfWidth;
    const top = Math.max(0, Math.floor(heightAt(shape.upperInner, u)) - 3 - area.y);
    const bottom = Math.min(area.height, Math.ceil(heightAt(shape.lowerInner, u)) + 4 - area.y);
    for (let row = top; row < bottom; row++) {
      insideAt(inside, area.x + column, area.y + row, colour);
      const at = 4 * (row * area.width + column);
      for (let channel = 0; channel < 3; channel++) into[at + channel] = colour[channel]!;
      into[at + 3] = 255;
    }
  }
}
