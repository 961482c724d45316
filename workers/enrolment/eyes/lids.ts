import type { Area } from '../../bundle/pictures.ts';
import { EYES } from '../face/face-points.ts';
import type { Head } from '../face/head-crop.ts';
import { lashColour, lashesAt, taper } from './lashes.ts';
import { type Lid, lidOf, type Outside, topOf, uAt } from './lid.ts';
import { paintedLid } from './painted-lid.ts';
import { heightAt, profile } from '../face/profile.ts';
import { clamp, layOver, ramp, type Raster, sample } from '../picture/raster.ts';

/*
 * How an eye closes. The skin under the brow is pulled down behind the lid's edge, more the lower
 * it is, and blends into painted skin. The lashes and their shadow in between must not be
 * stretched. The edge gets a lash line in the photo's own lash colour.
 */

/** How far the lower lid rises to meet the upper one. */
const LOWER_RISES = 0.16;
/** Strength of the lid's shadow on the eye, and its height in millimetres. */
const SHADOW = 0.4;
const SHADOW_REACH = 1.6;
/**
 * The photo's own skin ends this many millimetres above the lid's edge, where lashes and their
 * shadow start.
 */
const LASH_ZONE = 3.4;
const LASH_SHARE = 0.5;
/** Shading of the round lid: lighter at mid height, darker above the lashes. */
const LID = 0.97;
const ROUND = 0.04;
const RIM = 0.05;
/** Eyelid skin is thin and shaded by the brow, so it is darker and redder. */
const LID_TINT = [0.945, 0.895, 0.865];

/** Closes both eyes by `share` (1 is shut) in the area's picture. */
export function closeLids(head: Head, share: number, area: Area, into: Raster) {
  EYES.forEach((eye, i) => {
    const lid = lidOf(head.points, eye);
    closeLid(head, lid, i === 0 ? 'left' : 'right', share, area, into);
  });
}

function closeLid(head: Head, lid: Lid, outside: Outside, share: number, area: Area, into: Raster) {
  const { picture, mm } = head;
  const skin = paintedLid(head, lid, outside);
  const lash = lashColour(head, lid);
  const meeting = profile((u) => heightAt(lid.lower, u) - LOWER_RISES * openingAt(lid, u));
  const edge = profile(
    (u) => heightAt(lid.upper, u) + share * (heightAt(meeting, u) - heightAt(lid.upper, u)),
  );
  const colour = new Float32Array(4);
  const pictureColour = new Float32Array(4);
  for (let row = 0; row < skin.area.height; row++) {
    for (let column = 0; column < skin.area.width; column++) {
      const [x, y] = [skin.area.x + column, skin.area.y + row];
      const u = uAt(lid, x);
      const at = row * skin.area.width + column;
      const place = { was: heightAt(lid.upper, u), is: heightAt(edge, u) };
      const tapered = taper(u, lid, outside, mm);

      sample(picture, x, y, colour);
      const isCovered = skin.cover[at]! * ramp(place.is + 0.9, place.is - 0.9, y);
      // Skin replaces the upper lashes. The lower lashes stay.
      const shadow = SHADOW * share * tapered * shadowAt(y - place.is, mm);
      const from = ownSkin(lid, u, place, y, mm);
      sample(picture, x, from.y, pictureColour);
      const light = lightOfLid(from.down);
      const line = lashesAt(y - place.is, head, tapered, u, outside, share);
      for (let channel = 0; channel < 3; channel++) {
        const open = colour[channel]! * (1 - shadow * skin.cover[at]!);
        const painted = skin.colour[channel]![at]! * light * LID_TINT[channel]!;
        const closed = pictureColour[channel]! + (painted - pictureColour[channel]!) * from.down;
        const drawn = open + (closed - open) * isCovered;
        colour[channel] = drawn + (lash[channel]! - drawn) * line;
      }
      layOver(into, area, x, y, colour, 1);
    }
  }
}

/** Shadow below the lid's edge. */
const shadowAt = (below: number, mm: number) =>
  below < 0 ? 0 : Math.exp(-below / (SHADOW_REACH * mm));

const openingAt = (lid: Lid, u: number) => heightAt(lid.lower, u) - heightAt(lid.upper, u);

/**
 * The source height in the photo's lid: stretched below, unchanged above. `down` is 0 at the top
 * and 1 at the edge.
 */
function ownSkin(
  lid: Lid,
  u: number,
  { was, is }: { was: number; is: number },
  y: number,
  mm: number,
): { y: number; down: number } {
  const top = topOf(lid, u, mm);
  if (y <= top) return { y, down: 0 };
  const bottom = was - Math.min(LASH_ZONE * mm, LASH_SHARE * (was - top));
  const down = clamp((y - top) / Math.max(1, is - top), 0, 1);
  const steep = Math.min(2, (is - top) / Math.max(0.5, bottom - top));
  return { y: top + (steep * down + (1 - steep) * down * down) * (bottom - top), down };
}

const lightOfLid = (down: number) =>
  LID + ROUND * Math.sin(Math.PI * down) - RIM * ramp(0.75, 1, down);
