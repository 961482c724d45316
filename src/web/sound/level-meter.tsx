import './level-meter.css';
import type { RefObject } from 'react';
import type { SoundLevel } from './sound-level.ts';
import { useLevel } from './use-level.ts';

type Props = { level: RefObject<SoundLevel | null>; isListening: boolean };

/** Shows that something comes in, before it is heard. */
export function LevelMeter({ level, isListening }: Props) {
  const meter = useLevel<HTMLDivElement>(level, isListening);
  return (
    <div ref={meter} className="meter" aria-hidden="true">
      <i />
    </div>
  );
}
