import { useEffect, useRef, type RefObject } from 'react';
import type { SoundLevel } from './sound-level.ts';

/** Keeps the CSS variable `--level` of an element up to date, in hundredths; 0 when not listening. */
export function useLevel<Shown extends HTMLElement>(
  level: RefObject<SoundLevel | null>,
  isListening: boolean,
): RefObject<Shown | null> {
  const shown = useRef<Shown>(null);

  useEffect(() => {
    if (!isListening) return;
    let next = 0;
    let last = '';
    const draw = () => {
      const now = (level.current?.read() ?? 0).toFixed(2);
      // Each change draws the page again, so only those that can be seen.
      if (now !== last) shown.current?.style.setProperty('--level', now);
      last = now;
      next = requestAnimationFrame(draw);
    };
    draw();
    const element = shown.current;
    return () => {
      cancelAnimationFrame(next);
      element?.style.setProperty('--level', '0');
    };
  }, [level, isListening]);

  return shown;
}
