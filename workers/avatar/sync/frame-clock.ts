import type { Clock } from '#shared/clock.ts';

/**
 * Ticks `fps` times a second on a grid that begins at `originMs` of the clock: lateness never adds up. A tick that comes late skips to the
 * frame that is due; frames that were missed are never made up for. `onTick` gets the time that its frame is for and how many were missed.
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

  function schedule(next: number): () => void {
    const dueAt = originMs + next * frameMs;
    return clock.after(Math.max(0, dueAt - clock.elapsed()), () => {
      // A timer may fire a hair early: it is for the frame that it was set for all the same.
      const frame = Math.max(next, Math.floor((clock.elapsed() - originMs) / frameMs));
      onTick(originMs + frame * frameMs, frame - next);
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
 * Where in a frame's time the next session of this process ticks, 0..1. Steps of the golden ratio lie far apart whatever their number, so
 * the sessions neither draw nor encode at the same moment.
 */
export const nextPhase = (): number => (sessions++ * 0.618_033_988_749_895) % 1;
