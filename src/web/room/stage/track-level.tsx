import type { Room } from 'livekit-client';
import { useEffect, useRef, useState } from 'react';
import { LevelMeter } from '../../call/sound/level-meter.tsx';
import { SoundLevel } from '../../call/sound/sound-level.ts';

/** Level of the person's published microphone track. */
export function TrackLevel({ room }: { room: Room }) {
  const level = useRef<SoundLevel>(null);
  const [isListening, setIsListening] = useState(false);

  useEffect(() => {
    const [microphone] = room.localParticipant.audioTrackPublications.values();
    const track = microphone?.track?.mediaStreamTrack;
    if (!track) return;
    const own = new SoundLevel();
    level.current = own;
    own.listen(track);
    void own.wake();
    setIsListening(true);
    return () => {
      level.current = null;
      void own.close();
    };
  }, [room]);

  return <LevelMeter level={level} isListening={isListening} />;
}
