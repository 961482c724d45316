/** FNV-1a hash. */
export function seedOf(text: string): number {
  let seed = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    seed = Math.imul(seed ^ text.charCodeAt(i), 0x01000193);
  }
  return seed >>> 0;
}

/**
 * A pseudorandom number in 0..1 for each (seed, stream, index). Pure, so it can be evaluated for
 * any time in any order.
 */
export function chance(seed: number, stream: number, index: number): number {
  let mixed = seed ^ Math.imul(stream + 1, 0x9e3779b1) ^ Math.imul(index + 0x7f4a7c15, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

/** Smooth noise in -1..1 with a new random target every `periodMs`. */
export function wander(seed: number, stream: number, atMs: number, periodMs: number): number {
  const place = atMs / periodMs + chance(seed, stream, -1);
  const index = Math.floor(place);
  const share = place - index;
  const eased = share ** 3 * (share * (share * 6 - 15) + 10);
  const from = chance(seed, stream, index);
  const to = chance(seed, stream, index + 1);
  return 2 * (from + (to - from) * eased) - 1;
}
