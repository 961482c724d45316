import { useCallback, useEffect, useRef, useState } from 'react';
import { openFile, openMicrophone, type OwnSound, type SoundFile } from './own-sound.ts';
import { speakOwn, type OwnSpeech, type SoundSource } from './own-speech.ts';
import { SoundLevel } from '../../call/sound/sound-level.ts';
import type { useSession } from '../session/use-session.ts';

/** Plays one sound at a time. The next sound and the end of the session stop it. */
export function useOwnSpeech({ state, voice }: ReturnType<typeof useSession>) {
  const [speech, setSpeech] = useState<OwnSpeech>({ type: 'silent' });
  const level = useRef<SoundLevel>(null);
  const running = useRef<AbortController>(null);

  const stop = useCallback(() => {
    running.current?.abort();
    running.current = null;
    setSpeech({ type: 'silent' });
  }, []);

  const start = useCallback(
    (source: SoundSource, open: () => Promise<OwnSound>) => {
      running.current?.abort();
      running.current = new AbortController();
      level.current ??= new SoundLevel();
      const meter = level.current;
      void meter.wake();
      void speakOwn({
        source,
        open,
        publish: voice,
        onOpened: (track) => meter.listen(track),
        onChange: setSpeech,
        signal: running.current.signal,
      });
    },
    [voice],
  );
  const startMicrophone = useCallback(() => start('microphone', openMicrophone), [start]);
  const startFile = useCallback((file: SoundFile) => start('file', () => openFile(file)), [start]);

  const isOver = state.phase.type === 'over' || state.phase.type === 'picking';
  useEffect(() => {
    if (isOver) stop();
  }, [isOver, stop]);
  useEffect(
    () => () => {
      running.current?.abort();
      void level.current?.close();
    },
    [],
  );

  return { speech, level, startMicrophone, startFile, stop };
}
