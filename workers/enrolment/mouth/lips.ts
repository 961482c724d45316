import { LIPS } from '../face/face-points.ts';
import type { Head } from '../face/head-crop.ts';
import { heightAt, type Profile, profile, profileThrough } from '../face/profile.ts';
import { clamp, lightAt, type Raster } from '../picture/raster.ts';

/** Four lip edges from corner to corner. */
export type Lips = {
  middle: number;
  halfWidth: number;
  upperOuter: Profile;
  upperInner: Profile;
  lowerInner: Profile;
  lowerOuter: Profile;
};

/** The lips of the photo. */
export type MeasuredLips = Lips & {
  /** The line where the lips meet, or would meet. */
  seam: Profile;
  /** Largest gap, in pixels. */
  gap: number;
  isOpen: boolean;
};

/** Lips nearer than this touch, in millimetres. */
const PARTED = 1.1;
/** Landmarks of closed lips miss the dark line between them by up to this, in millimetres. */
const SEAM_SEARCH = 1.6;
/** Landmarks of the upper lip's outline lie slightly inside it. */
const ABOVE = 0.9;
/** An area next to the teeth that is as bright as they are is not lip. */
const INSET = 0.7;

export function measureLips({ picture, points, mm }: Head): MeasuredLips {
  const [leftCorner, rightCorner] = [points[LIPS.upperOuter[0]]!, points[LIPS.upperOuter[10]]!];
  const through = (row: readonly number[]) =>
    profileThrough(
      [leftCorner, ...row.slice(1, -1).map((index) => points[index]!), rightCorner],
      leftCorner[0],
      rightCorner[0],
    );
  const middle = (leftCorner[0] + rightCorner[0]) / 2;
  const halfWidth = (rightCorner[0] - leftCorner[0]) / 2;
  const outline = through(LIPS.upperOuter);
  const upperOuter = profile((u) => heightAt(outline, u) - ABOVE * mm * Math.sqrt(1 - u * u));
  const lowerOuter = through(LIPS.lowerOuter);
  const [upper, lower] = [through(LIPS.upperInner), through(LIPS.lowerInner)];
  const gap = lower.reduce((most, y, i) => Math.max(most, y - upper[i]!), 0);
  const isOpen = gap > PARTED * mm;
  const between = profile((u) => (heightAt(upper, u) + heightAt(lower, u)) / 2);
  if (!isOpen) {
    const seam = darkest(picture, between, middle, halfWidth, SEAM_SEARCH * mm);
    return {
      middle,
      halfWidth,
      upperOuter,
      upperInner: seam,
      lowerInner: seam,
      lowerOuter,
      seam,
      gap: 0,
      isOpen,
    };
  }
  const inset = (u: number) => INSET * mm * Math.sqrt(Math.max(0, 1 - u * u));
  return {
    middle,
    halfWidth,
    upperOuter,
    upperInner: profile((u) => Math.max(heightAt(upperOuter, u), heightAt(upper, u) - inset(u))),
    lowerInner: profile((u) => Math.min(heightAt(lowerOuter, u), heightAt(lower, u) + inset(u))),
    lowerOuter,
    seam: between,
    gap,
    isOpen,
  };
}

/** Follows the dark line between closed lips smoothly. */
function darkest(
  picture: Raster,
  near: Profile,
  middle: number,
  halfWidth: number,
  reach: number,
): Profile {
  const offsets = profile((u) => {
    // At the corners the lips end in a shadow that is darker than their line.
    const search = reach * (1 - u * u);
    const x = middle + u * halfWidth;
    let [best, least] = [0, Infinity];
    for (let offset = -search; offset <= search; offset += 0.5) {
      const light =
        lightAt(picture, x, heightAt(near, u) + offset) + (6 * offset * offset) / (reach * reach);
      if (light < least) [best, least] = [offset, light];
    }
    return best;
  });
  return profile((u) => heightAt(near, u) + meanAround(offsets, u));
}

const AROUND = 0.12;

function meanAround(of: Profile, u: number): number {
  let sum = 0;
  for (let i = -6; i <= 6; i++) sum += heightAt(of, clamp(u + (i / 6) * AROUND, -1, 1));
  return sum / 13;
}
