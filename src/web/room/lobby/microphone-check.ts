import { SoundLevel } from '../../call/sound/sound-level.ts';
import { DeviceCheck, type DeviceCheckState } from './device-check.ts';

/** Local microphone test before a call, with the level of its sound. */
export class MicrophoneCheck {
  readonly #check: DeviceCheck;
  #level: SoundLevel | null = null;

  constructor(onChange: () => void) {
    this.#check = new DeviceCheck('audioinput', () => {
      this.#listen();
      onChange();
    });
  }

  get state(): DeviceCheckState {
    return this.#check.state;
  }

  /** Null: the microphone is closed. */
  get level(): SoundLevel | null {
    return this.#level;
  }

  /** As in `DeviceCheck`. */
  open(chosenId: string | null): Promise<void> {
    return this.#check.open(chosenId);
  }

  close(): void {
    this.#check.close();
  }

  #listen(): void {
    void this.#level?.close();
    this.#level = null;
    const { state } = this.#check;
    if (state.type !== 'open') return;
    const [track] = state.stream.getAudioTracks();
    this.#level = new SoundLevel();
    if (track) this.#level.listen(track);
    void this.#level.wake();
  }
}
