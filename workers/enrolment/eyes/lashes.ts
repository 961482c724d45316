import type { Head } from '../face/head-crop.ts';
import type { Lid, Outside } from './lid.ts';
import { heightAt } from '../face/profile.ts';
import { ramp } from '../picture/raster.ts';

/**
 * Thickness of the lash line at the lid's edge and its overhang, in millimetres; both are darkest
 * at the outer half.
 */
const LASH_LINE = 0.95;
const LINE_DARK = 0.66;
const LASH_LENGTH = 1.9;
const LASHES_DARK = 0.34;

/** 1 over the eye, falling to 0 beyond its corners. */
export function taper(u: number, lid: Lid, outside: Outside, mm: number): number {
  const half = (lid.right - lid.left) / 2;
  const isOutside = outside === 'left' ? u < 0 : u > 0;
  const beyond = (Math.abs(u) - 1) * half;
  return ramp((isOutside ? 1.4 : 0.2) * mm, (isOutside ? -1 : -2.5) * mm, beyond);
}

/** How dark the lashes are at a height below the lid's edge. */
export function lashesAt(
  below: number,
  { mm, scale }: Head,
  tapered: number,
  u: number,
  outside: Outside,
  share: number,
): number {
  const outer = outside === 'left' ? -u : u;
  // Never sharper than the photo.
  const width = Math.hypot(LASH_LINE * mm * (0.75 + 0.25 * outer), 0.4 * scale);
  const line = Math.exp(-((below / width) ** 2));
  const length = LASH_LENGTH * mm * share * (0.6 + 0.4 * outer);
  const fringe = below > 0 ? LASHES_DARK * ramp(length, 0, below) : 0;
  return tapered * Math.max(LINE_DARK * line, fringe);
}

/** The darkest colour along the lid's edge, used for the lash line. */
export function lashColour({ picture }: Head, lid: Lid): number[] {
  const colours: number[][] = [];
  for (let i = -8; i <= 8; i++) {
    const u = i / 10;
    const x = Math.round(lid.left + ((u + 1) / 2) * (lid.right - lid.left));
    for (let offset = -2; offset <= 2; offset++) {
      const y = Math.round(heightAt(lid.upper, u)) + offset;
      const at = 4 * (y * picture.width + x);
      colours.push([...picture.values.subarray(at, at + 3)]);
    }
  }
  const darkest = colours.sort((a, b) => light(a) - light(b)).slice(0, 20);
  return [0, 1, 2].map(
    (i) => darkest.reduce((sum, colour) => sum + colour[i]!, 0) / darkest.length,
  );
}

const light = ([red = 0, green = 0, blue = 0]: number[]) => red + green + blue;
