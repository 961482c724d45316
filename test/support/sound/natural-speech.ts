import { systemClock } from '#shared/clock.ts';
import { createLog } from '#shared/log.ts';
import { BUILT_IN_VOICES, type BuiltInVoice } from '#protocol/voice/built-in-voices.ts';
import { HibariVoice } from '../../../workers/agent/voices/hibari.ts';
import type { Sound } from '../../../workers/agent/voices/voice.ts';
import type { SpeechParts } from './speech-parts.ts';
import { until } from '../until.ts';

/** Each sentence as one sound, in one voice after the other. */
export async function speakNaturally(
  { voice: folder }: Pick<SpeechParts, 'voice'>,
  sentences: readonly string[],
  voices: readonly BuiltInVoice[] = [BUILT_IN_VOICES[0]],
): Promise<Sound[]> {
  const log = createLog({ name: 'test', level: 'silent' });
  const voice = new HibariVoice(`${folder}/bin/python`, systemClock, log);
  try {
    await until(() => voice.isReady);
    const sounds: Sound[] = [];
    const { signal } = new AbortController();
    for (const speaker of voices.map((each) => voice.as(each)))
      for (const sentence of sentences)
        for await (const sound of speaker.speak(sentence, signal)) sounds.push(sound);
    return sounds;
  } finally {
    voice.close();
  }
}
