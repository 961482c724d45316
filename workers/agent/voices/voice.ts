import type { CallBudget } from '../call-budget.ts';

/** Mono sound. */
export type Sound = { samples: Int16Array<ArrayBuffer>; sampleRate: number };

export interface Voice {
  readonly name: string;
  /** Streams the sound of one sentence. Throws if it cannot be spoken. */
  speak(sentence: string, signal: AbortSignal): AsyncIterable<Sound>;
}

/** Counts what is spoken. */
export const countedVoice = (voice: Voice, budget: Pick<CallBudget, 'add'>): Voice => ({
  name: voice.name,
  speak(sentence, signal) {
    budget.add({ speechCharacters: sentence.length });
    return voice.speak(sentence, signal);
  },
});

/** Fast reading speed. */
const CHARACTERS_A_SECOND = 25;
const MUTE_RATE = 16_000;

/**
 * Fallback if no voice speaks the language or all fail: silence for as long as the text is shown.
 */
export const mute: Voice = {
  name: 'none',
  async *speak(sentence) {
    const seconds = sentence.length / CHARACTERS_A_SECOND;
    yield { samples: new Int16Array(Math.ceil(seconds * MUTE_RATE)), sampleRate: MUTE_RATE };
  },
};

/** Tries the voices in order, until one starts to speak the sentence. Silence is no start. */
export function firstThatSpeaks(
  voices: readonly [Voice, ...Voice[]],
  failed: (voice: Voice, error: unknown) => void,
): Voice {
  const lastVoice = voices.at(-1)!;
  return {
    name: voices[0].name,
    async *speak(sentence, signal) {
      for (const voice of voices) {
        let hasBegun = voice === lastVoice;
        try {
          const silence: Sound[] = [];
          for await (const sound of voice.speak(sentence, signal)) {
            hasBegun ||= sound.samples.some(Boolean);
            silence.push(sound);
            if (hasBegun) yield* silence.splice(0);
          }
          if (hasBegun) return;
          throw new Error('the voice said nothing');
        } catch (error) {
          if (signal.aborted) return;
          failed(voice, error);
          // Repeating half a sentence is worse than dropping the rest.
          if (hasBegun) return;
        }
      }
    },
  };
}
