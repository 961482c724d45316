import { useCallback, useEffect, useRef, useState } from 'react';
import { isVoiceName, type VoiceName } from '#protocol/voice/flite.ts';
import { Voice } from '../voice/voice.ts';
import type { Avatar } from '../service.ts';

type VoiceState =
  | { type: 'not_asked' }
  | { type: 'loading'; part: number }
  | { type: 'ready' }
  | { type: 'failed' };

/** The synthesiser: loaded on first use, kept as long as the page is open. */
export function useVoice() {
  const [state, setState] = useState<VoiceState>({ type: 'not_asked' });
  const voice = useRef<Voice | null>(null);

  const load = useCallback(() => {
    if (voice.current) return;
    setState({ type: 'loading', part: 0 });
    const fresh = new Voice((part) => setState({ type: 'loading', part }));
    voice.current = fresh;
    fresh.loaded.then(
      () => setState({ type: 'ready' }),
      () => {
        fresh.close();
        if (voice.current !== fresh) return;
        voice.current = null;
        setState({ type: 'failed' });
      },
    );
  }, []);

  const speak = useCallback(async (sentence: string, name: VoiceName) => {
    if (!voice.current) throw new Error('no voice is loaded');
    return voice.current.speak(sentence, name);
  }, []);

  useEffect(() => () => voice.current?.close(), []);
  return { state, load, speak };
}

const voicesByAvatar: Record<string, VoiceName> = {
  nora: 'slt',
  ines: 'slt',
  theo: 'rms',
  samuel: 'awb',
};

export function voiceFor(avatar: Avatar): VoiceName {
  const name = voicesByAvatar[avatar.name.toLowerCase()] ?? 'slt';
  return isVoiceName(name) ? name : 'slt';
}
