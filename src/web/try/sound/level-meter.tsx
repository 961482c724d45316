import '../../call/sound/level-meter.css';
import type { RefObject } from 'react';
import type { SoundLevel } from '../../call/sound/sound-level.ts';
import { useLevel } from './use-level.ts';

type Props = { level: RefObject<SoundLevel | null>; isListening: boolean };

/** Animates with the captured audio. */
export function LevelMeter({ level, isListening }: Props) {
  const meter = useLevel<HTMLDivElement>(level, isListening);
  return (
    <div ref={meter} className="meter" aria-hidden="true">
      <i />
    </div>
  );
}
