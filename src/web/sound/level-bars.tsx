import type { RefObject } from 'react';
import type { SoundLevel } from './sound-level.ts';
import { useLevel } from './use-level.ts';

type Props = { level: RefObject<SoundLevel | null>; isListening: boolean };

/** Moves with the sound that arrives, so that a person sees that there is some. */
export function LevelBars({ level, isListening }: Props) {
  const bars = useLevel<HTMLSpanElement>(level, isListening);
  return (
    <span ref={bars} className="level" data-listening={isListening} aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}
