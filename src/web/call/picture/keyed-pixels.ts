/*
 * Keying without WebGL. Both halves are RGBA of the same size: the avatar on black (premultiplied),
 * and its opacity as grey. Canvases take colours that are not premultiplied.
 */

/** Opacity below or above which encoders add noise only. */
const NOISE = 8;

export function keyPixels(avatar: Uint8ClampedArray, opacity: Uint8ClampedArray): void {
  for (let at = 0; at < avatar.length; at += 4) {
    const alpha = Math.min(
      Math.max(((opacity[at + 1]! - NOISE) * 255) / (255 - 2 * NOISE), 0),
      255,
    );
    const scale = alpha === 0 ? 0 : 255 / alpha;
    avatar[at] = avatar[at]! * scale;
    avatar[at + 1] = avatar[at + 1]! * scale;
    avatar[at + 2] = avatar[at + 2]! * scale;
    avatar[at + 3] = alpha;
  }
}
