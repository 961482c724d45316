import type { Lips, MeasuredLips } from './lips.ts';
import type { MouthForm } from './mouth-forms.ts';
import { heightAt, profile } from '../face/profile.ts';

/** Lips in one form, and the chin's way down. All in pixels. */
export type MouthShape = Lips & { drop: number; raise: number; chin: number };

/** Closing lips that a smile has parted: narrower and fuller. */
const RELAXED_WIDTH = 0.95;
const RELAXED_UPPER = 1.6;
const RELAXED_LOWER = 1.16;
/** The upper lip's share of the distance between them. */
const UPPER_SHARE = 0.42;
/** A smile parts the lips this far without the jaw. */
const SMILE_GAP_MM = 7;
/** Lips part up to this share of the way to the corners. Beyond, they stay together. */
const INNER = 0.94;
/** Shares of the jaw's way that the mouth's corners and the chin follow. */
const CORNERS_FOLLOW = 0.24;
const CHIN_FOLLOWS = 0.9;

/** Applies the form to the lips of the photo. */
export function shapeOf(lips: MeasuredLips, form: MouthForm, mm: number): MouthShape {
  const { drop, raise, bite } = form;
  const calm = lips.isOpen ? RELAXED_WIDTH : 1;
  const upperFull = lips.isOpen ? RELAXED_UPPER : 1;
  const lowerFull = lips.isOpen ? RELAXED_LOWER : 1;
  const seam = profile((u) => {
    const [upper, lower] = [heightAt(lips.upperInner, u), heightAt(lips.lowerInner, u)];
    return upper + UPPER_SHARE * (lower - upper);
  });
  const centre = heightAt(seam, 0);
  // A kiss excludes a smile; an open jaw pulls the corners down.
  const line = (u: number) =>
    centre + (heightAt(seam, u) - centre) * (1 - form.pucker) + CORNERS_FOLLOW * drop * mm * u * u;
  const arch = (u: number) => Math.max(0, 1 - (u / INNER) ** 2) ** form.arch;
  const upperInner = profile((u) => line(u) - raise * mm * arch(u));
  const lowerInner = profile((u) => line(u) + drop * mm * arch(u));
  const upperHeight = (u: number) => heightAt(lips.upperInner, u) - heightAt(lips.upperOuter, u);
  const lowerHeight = (u: number) => heightAt(lips.lowerOuter, u) - heightAt(lips.lowerInner, u);
  const jawAlready = Math.max(0, lips.gap / mm - SMILE_GAP_MM);
  return {
    middle: lips.middle,
    halfWidth: lips.halfWidth * form.width * calm,
    upperInner,
    lowerInner,
    upperOuter: profile((u) => heightAt(upperInner, u) - form.upper * upperFull * upperHeight(u)),
    lowerOuter: profile((u) => heightAt(lowerInner, u) + form.lower * lowerFull * lowerHeight(u)),
    drop: drop * mm,
    raise: raise * mm,
    chin: CHIN_FOLLOWS * (drop * (1 - 0.6 * bite) - jawAlready) * mm,
  };
}
