import type { RefObject } from 'react';
import type { SoundLevel } from '../../call/sound/sound-level.ts';
import { useLevel } from './use-level.ts';

type Props = { level: RefObject<SoundLevel | null>; isListening: boolean };

/** Animates with the received audio. */
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
