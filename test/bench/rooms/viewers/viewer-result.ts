import type { Recording } from './viewer.ts';

/** Frames and sound at a viewer. */
export type ViewerResult = { fps: number; longestGapMs: number; lostMs: number };

/** 25 fps, with a tolerance of one frame in ten seconds. */
export const HELD_FPS = 24.9;

/** A picture that stops early or starts late counts as a gap. Frames need not lie on the edges. */
const EDGE_MS = 100;
/** Below the level of the benches' speech. */
const SILENT_BELOW = 200;
const SAMPLES_PER_MS = 48;
/** For each chunk of sound that a viewer reports. */
const PIECE_MS = 10;

/** `lostMs`: sound that was concealed by the decoder or missing. */
export function viewerResult(
  { frames, sound }: Recording,
  {
    fromMs,
    untilMs,
    concealedSamples,
  }: { fromMs: number; untilMs: number; concealedSamples: number },
): ViewerResult {
  const silent = sound.filter(({ peak }) => peak < SILENT_BELOW).length;
  const lostMs =
    sound.length === 0 ? untilMs - fromMs : concealedSamples / SAMPLES_PER_MS + silent * PIECE_MS;
  const times = frames.map(({ atMs }) => atMs);
  if (times.length < 2) return { fps: 0, longestGapMs: untilMs - fromMs, lostMs };
  const startMs = Math.min(times[0]!, fromMs + EDGE_MS);
  const endMs = Math.max(times.at(-1)!, untilMs - EDGE_MS);
  const edges = [startMs, ...times, endMs];
  return {
    fps: (times.length - 1) / ((endMs - startMs) / 1000),
    longestGapMs: edges.slice(1).reduce((widest, at, i) => Math.max(widest, at - edges[i]!), 0),
    lostMs,
  };
}

export const isAllThere = (results: ViewerResult[]): boolean =>
  results.every(({ fps, lostMs }) => fps >= HELD_FPS && lostMs === 0);
