import { useCallback, useEffect, useRef, useState } from 'react';
import { builtInVoice } from '#protocol/voice/built-in-voices.ts';
import { recordingOf } from '#protocol/voice/recorded-sentences.ts';
import { Voice } from '../voice/voice.ts';
import { samplesAt } from './recording.ts';

type VoiceState =
  | { type: 'not_asked' }
  | { type: 'loading'; part: number }
  | { type: 'ready' }
  | { type: 'failed' };

/**
 * Recordings of the natural voices, and a synthesiser for what is typed: loaded on first use, kept
 * as long as the page is open.
 */
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

  const speak = useCallback(
    async (text: string, voiceId: string) => {
      const chosen = builtInVoice(voiceId);
      const recording = recordingOf(chosen, text);
      if (recording !== null) return samplesAt(recording);
      load();
      return voice.current!.speak(text, chosen.small);
    },
    [load],
  );

  useEffect(() => () => voice.current?.close(), []);
  return { state, load, speak };
}
