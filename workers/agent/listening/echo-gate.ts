/** How much louder than the loudest echo a voice must begin. */
const LOUDER = 1.3;
const WINDOW = 512;

/**
 * Tells the user's voice from the agent's, which the microphone picks up from the loudspeaker
 * where the browser cannot cancel it. The level of the echo is known once its words were heard.
 */
export class EchoGate {
  #peak = 0;

  get hasLearnt(): boolean {
    return this.#peak > 0;
  }

  /** `samples`: sound that its words have shown to be echo. */
  learn(samples: Int16Array): void {
    for (let at = 0; at + WINDOW <= samples.length; at += WINDOW)
      this.#peak = Math.max(this.#peak, levelOf(samples.subarray(at, at + WINDOW)));
  }

  /** Whether sound while the agent speaks can be the user's, who may be speaking already. */
  admits(samples: Int16Array, isSpeaking: boolean): boolean {
    return levelOf(samples) >= (isSpeaking ? 1 : LOUDER) * this.#peak;
  }
}

const levelOf = (samples: Int16Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / Math.max(1, samples.length));
