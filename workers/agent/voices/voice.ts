/** A stretch of sound, mono. */
export type Sound = { samples: Int16Array<ArrayBuffer>; sampleRate: number };

/** Something that speaks sentences. */
export interface Voice {
  readonly name: string;
  /** The sound of one sentence, as it comes. Throws when it cannot be spoken. */
  speak(sentence: string, signal: AbortSignal): AsyncIterable<Sound>;
}

/** As long as somebody takes who reads it quickly, in a second. */
const CHARACTERS_A_SECOND = 25;
const MUTE_RATE = 16_000;

/** For languages that no voice here speaks, and when a voice fails: silence that lasts as long as the text is shown. */
export const mute: Voice = {
  name: 'none',
  async *speak(sentence) {
    const seconds = sentence.length / CHARACTERS_A_SECOND;
    yield { samples: new Int16Array(Math.ceil(seconds * MUTE_RATE)), sampleRate: MUTE_RATE };
  },
};

/** Speaks with the first of them that can; each is given a sentence that the one before could not begin. */
export function firstThatSpeaks(
  voices: readonly [Voice, ...Voice[]],
  failed: (voice: Voice, error: unknown) => void,
): Voice {
  const last = voices.at(-1)!;
  return {
    name: voices[0].name,
    async *speak(sentence, signal) {
      for (const voice of voices) {
        let hasBegun = false;
        try {
          for await (const sound of voice.speak(sentence, signal)) {
            hasBegun = true;
            yield sound;
          }
          return;
        } catch (error) {
          if (signal.aborted) return;
          failed(voice, error);
          // Half a sentence said twice is worse than half a sentence.
          if (hasBegun || voice === last) return;
        }
      }
    },
  };
}
