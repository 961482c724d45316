import type { Blow } from './strike.ts';
import type { Gap } from './watcher.ts';

type Watched = { id: string; watcher: { gapsUntil(nowMs: number): Gap[] } };

/** Gaps in the picture without a fault, or longer than the fault's limit. */
export function unexplained(
  { id, watcher }: Watched,
  blows: Blow[],
  nowMs = performance.now(),
): string[] {
  return watcher.gapsUntil(nowMs).flatMap(({ fromMs, toMs }) => {
    const endMs = toMs ?? nowMs;
    const backBy = Math.max(
      ...blows
        .filter(({ sessions, atMs }) => sessions.includes(id) && atMs <= endMs)
        .map(({ atMs, backMs }) => atMs + backMs),
    );
    // The viewer's decoder still returns frames after the fault, so only the end counts.
    if (endMs <= backBy) return [];
    const lateMs = Number.isFinite(backBy)
      ? `, ${Math.round(endMs - backBy)} ms later than allowed`
      : '';
    return [`${id}: no picture for ${Math.round(endMs - fromMs)} ms${lateMs}`];
  });
}
