import { systemClock } from '#shared/clock.ts';
import { createLog } from '#shared/log.ts';
import { HibariVoice } from '../../../workers/agent/voices/hibari.ts';
import type { Sound } from '../../../workers/agent/voices/voice.ts';
import type { SpeechParts } from './speech-parts.ts';
import { until } from '../until.ts';

/** Sentences spoken by the default voice, each as one sound. */
export async function speakNaturally(
  { voice: folder }: Pick<SpeechParts, 'voice'>,
  sentences: readonly string[],
): Promise<Sound[]> {
  const log = createLog({ name: 'test', level: 'silent' });
  const voice = new HibariVoice(`${folder}/bin/python`, systemClock, log);
  try {
    await until(() => voice.isReady);
    const sounds: Sound[] = [];
    for (const sentence of sentences) {
      const { signal } = new AbortController();
      for await (const sound of voice.speak(sentence, signal)) sounds.push(sound);
    }
    return sounds;
  } finally {
    voice.close();
  }
}
