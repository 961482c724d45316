import { useEffect, useRef, type RefObject } from 'react';
import { drawLevel } from '../../call/sound/draw-level.ts';
import type { SoundLevel } from '../../call/sound/sound-level.ts';

/** The element shows the level while listening. */
export function useLevel<Shown extends HTMLElement>(
  level: RefObject<SoundLevel | null>,
  isListening: boolean,
): RefObject<Shown | null> {
  const element = useRef<Shown>(null);
  useEffect(() => {
    if (isListening && element.current) return drawLevel(element.current, () => level.current);
  }, [level, isListening]);
  return element;
}
