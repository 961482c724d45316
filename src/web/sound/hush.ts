/*
 * A voice that was interrupted has fallen silent, but this browser has up to 300 ms of it in its buffer, and would play that over whoever
 * interrupts. A hush keeps it from sounding until the silence behind it has come.
 */
import type { SoundLevel } from './sound-level.ts';

const LOOK_EVERY_MS = 20;
/** Between two words it is shorter. */
const SILENT_LOOKS = 5;
/** More is in no buffer: it has begun to speak again. */
const MOST_LOOKS = 30;
/** Of a level: what a codec makes of silence. */
const SILENT_BELOW = 0.02;

export class Hush {
  readonly #element: Pick<HTMLMediaElement, 'muted'>;
  /** Of what is played, muted or not. */
  readonly #level: Pick<SoundLevel, 'read'>;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(element: Pick<HTMLMediaElement, 'muted'>, level: Pick<SoundLevel, 'read'>) {
    this.#element = element;
    this.#level = level;
  }

  begin(): void {
    this.end();
    this.#element.muted = true;
    let looks = 0;
    let silent = 0;
    this.#timer = setInterval(() => {
      silent = this.#level.read() < SILENT_BELOW ? silent + 1 : 0;
      looks += 1;
      if (silent === SILENT_LOOKS || looks === MOST_LOOKS) this.end();
    }, LOOK_EVERY_MS);
  }

  end(): void {
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
    this.#element.muted = false;
  }
}
