import { useEffect, useRef, type RefObject } from 'react';
import type { SoundLevel } from './sound-level.ts';

type Props = { level: RefObject<SoundLevel | null>; isListening: boolean };

/** Moves with the sound that arrives, so that a person sees that there is some. */
export function LevelBars({ level, isListening }: Props) {
  const bars = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    if (!isListening) return;
    let next = 0;
    const draw = () => {
      bars.current?.style.setProperty('--level', String(level.current?.read() ?? 0));
      next = requestAnimationFrame(draw);
    };
    draw();
    const element = bars.current;
    return () => {
      cancelAnimationFrame(next);
      element?.style.setProperty('--level', '0');
    };
  }, [level, isListening]);

  return (
    <span ref={bars} className="level" data-listening={isListening} aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}
