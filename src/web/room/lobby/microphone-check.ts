import { deviceProblemOf } from '../../call/devices/device-problems.ts';
import { SoundLevel } from '../../call/sound/sound-level.ts';
import type { DeviceProblem } from '../../call/state/call-state.ts';

type CheckState =
  | { type: 'closed' }
  | { type: 'open'; stream: MediaStream; level: SoundLevel; devices: MediaDeviceInfo[] }
  | { type: 'refused'; problem: DeviceProblem };

/** Local microphone test before a call. Sends no audio. */
export class MicrophoneCheck {
  readonly #onChange: () => void;
  #state: CheckState = { type: 'closed' };
  #deviceId: string | null = null;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get state(): CheckState {
    return this.#state;
  }

  /** The microphone that was opened last. */
  get deviceId(): string | null {
    return this.#deviceId;
  }

  /** `deviceId`: of the microphone to open; null: the default. */
  async open(deviceId: string | null): Promise<void> {
    this.close();
    this.#change({ type: 'closed' });
    try {
      const audio = deviceId ? { deviceId: { exact: deviceId } } : true;
      const stream = await navigator.mediaDevices.getUserMedia({ audio });
      const [track] = stream.getAudioTracks();
      const devices = await navigator.mediaDevices.enumerateDevices();
      this.#deviceId = track?.getSettings().deviceId ?? null;
      const level = new SoundLevel();
      if (track) level.listen(track);
      void level.wake();
      const microphones = devices.filter(({ kind }) => kind === 'audioinput');
      this.#change({ type: 'open', stream, level, devices: microphones });
    } catch (error) {
      this.#change({ type: 'refused', problem: deviceProblemOf(error) });
    }
  }

  /** A problem stays visible until the next attempt. */
  close(): void {
    if (this.#state.type !== 'open') return;
    const { stream, level } = this.#state;
    for (const track of stream.getTracks()) track.stop();
    void level.close();
    this.#change({ type: 'closed' });
  }

  #change(state: CheckState): void {
    this.#state = state;
    this.#onChange();
  }
}
