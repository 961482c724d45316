/** Allows for decoders on a busy machine, not for a picture that stands still. */
export const STEADY_MS = 1_500;

/** `times`: of the frames at a viewer, between `fromMs` and `toMs`. */
export function judgePicture(
  times: readonly number[],
  { fromMs, toMs, longestMs = STEADY_MS }: { fromMs: number; toMs: number; longestMs?: number },
): string[] {
  const gapMs = longestGapMs(times, fromMs, toMs);
  return gapMs <= longestMs ? [] : [`no frame for ${Math.round(gapMs)} ms`];
}

/** Between the darkest and the lightest part, 0..255. */
const LEAST_CONTRAST = 20;

/** `look`: mean light of the picture's parts. Media SDKs send black frames before the first one. */
export function judgeContrast(look: readonly number[]): string[] {
  const contrast = Math.max(...look) - Math.min(...look);
  return contrast >= LEAST_CONTRAST ? [] : ['the picture is blank'];
}

export function longestGapMs(times: readonly number[], fromMs: number, toMs: number): number {
  const marks = [fromMs, ...times.filter((ms) => ms > fromMs && ms < toMs), toMs];
  return Math.max(...marks.slice(1).map((ms, i) => ms - marks[i]!));
}
