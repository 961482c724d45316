import type { Clock } from '#shared/clock.ts';

/** Peaks below this (-36 dB of full scale) are no voice near a microphone. */
const AUDIBLE = 512;
/** Silence after which the user has finished. */
const HOLD_MS = 1_000;

/** Whether the user speaks, by the loudness of the client's `listen` records. */
export class UserVoice {
  readonly #clock: Clock;
  readonly #onChange: (isSpeaking: boolean) => void;
  #cancelEnd: (() => void) | null = null;

  constructor(clock: Clock, onChange: (isSpeaking: boolean) => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  /** 16-bit little-endian PCM. */
  hear(bytes: Uint8Array): void {
    if (!isAudible(bytes)) return;
    if (this.#cancelEnd) this.#cancelEnd();
    else this.#onChange(true);
    this.#cancelEnd = this.#clock.after(HOLD_MS, () => {
      this.#cancelEnd = null;
      this.#onChange(false);
    });
  }

  close(): void {
    this.#cancelEnd?.();
    this.#cancelEnd = null;
  }
}

function isAudible(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 2 <= bytes.length; at += 2)
    if (Math.abs(view.getInt16(at, true)) >= AUDIBLE) return true;
  return false;
}
