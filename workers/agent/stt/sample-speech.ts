import { BUILT_IN_VOICES } from '#protocol/voice/built-in-voices.ts';
import { FliteVoice } from '../voices/flite.ts';
import type { Sound } from '../voices/voice.ts';

const SENTENCE = 'The train to London leaves from the last platform.';

/** By the voice that needs no installation. */
export async function sampleSpeech(): Promise<Sound> {
  const flite = new FliteVoice();
  const voice = flite.as(BUILT_IN_VOICES[0]);
  try {
    for await (const sound of voice.speak(SENTENCE, new AbortController().signal)) return sound;
    throw new Error('the small voice said nothing');
  } finally {
    await flite.close();
  }
}
