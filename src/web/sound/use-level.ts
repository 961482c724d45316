import { useEffect, useRef, type RefObject } from 'react';
import type { SoundLevel } from './sound-level.ts';

/** Updates the CSS variable `--level` of an element with each frame; 0 when not listening. */
export function useLevel<Shown extends HTMLElement>(
  level: RefObject<SoundLevel | null>,
  isListening: boolean,
): RefObject<Shown | null> {
  const shown = useRef<Shown>(null);

  useEffect(() => {
    if (!isListening) return;
    let next = 0;
    const draw = () => {
      shown.current?.style.setProperty('--level', String(level.current?.read() ?? 0));
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
