/*
 * After an interruption the browser still buffers up to 300 ms of the agent's voice and would play
 * it over the person. A hush mutes the element until the silence after the buffered audio arrives.
 */
import type { SoundLevel } from './sound-level.ts';

const CHECK_EVERY_MS = 20;
/** Longer than the pause between two words. */
const SILENT_CHECKS = 5;
/** Longer than any buffer: the agent speaks again. */
const MAX_CHECKS = 30;
/** Level that a codec produces for silence. */
const SILENT_BELOW = 0.02;

export class Hush {
  readonly #element: Pick<HTMLMediaElement, 'muted'>;
  /** Level of the track, whether muted or not. */
  readonly #level: Pick<SoundLevel, 'read'>;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(element: Pick<HTMLMediaElement, 'muted'>, level: Pick<SoundLevel, 'read'>) {
    this.#element = element;
    this.#level = level;
  }

  begin(): void {
    this.end();
    this.#element.muted = true;
    let checks = 0;
    let silent = 0;
    this.#timer = setInterval(() => {
      silent = this.#level.read() < SILENT_BELOW ? silent + 1 : 0;
      checks += 1;
      if (silent === SILENT_CHECKS || checks === MAX_CHECKS) this.end();
    }, CHECK_EVERY_MS);
  }

  end(): void {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
    this.#element.muted = false;
  }
}
