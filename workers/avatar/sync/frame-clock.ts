import type { Clock } from '#shared/clock.ts';

/**
 * Ticks `fps` times per second on a fixed schedule from `originMs`, so delays do not accumulate. A
 * late tick skips to the frame that is due; missed frames are not made up for. `onTick` gets the
 * time of its frame and the number of frames missed before it.
 */
export function startFrameClock(
  clock: Clock,
  fps: number,
  originMs: number,
  onTick: (atMs: number, missed: number) => void,
): () => void {
  const frameMs = 1000 / fps;
  let stopped = false;
  let cancel = schedule(Math.ceil((clock.elapsed() - originMs) / frameMs));

  function schedule(nextFrame: number): () => void {
    const dueAt = originMs + nextFrame * frameMs;
    return clock.after(Math.max(0, dueAt - clock.elapsed()), () => {
      // A timer may fire slightly early; it still stands for the frame it was set for.
      const frame = Math.max(nextFrame, Math.floor((clock.elapsed() - originMs) / frameMs));
      onTick(originMs + frame * frameMs, frame - nextFrame);
      if (!stopped) cancel = schedule(frame + 1);
    });
  }

  return () => {
    stopped = true;
    cancel();
  };
}

let sessions = 0;

/**
 * The phase of the next session's ticks within the frame interval, 0..1. Multiples of the golden
 * ratio spread evenly for any number of sessions, so they do not draw and encode at the same time.
 */
export const nextPhase = (): number => (sessions++ * 0.618_033_988_749_895) % 1;
