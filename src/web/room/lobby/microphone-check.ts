import { chosenDevice } from '../../call/devices/chosen-devices.ts';
import { deviceProblemOf } from '../../call/devices/device-problems.ts';
import { SoundLevel } from '../../call/sound/sound-level.ts';
import type { DeviceProblem } from '../../call/state/call-state.ts';

type CheckState =
  | { type: 'closed' }
  | {
      type: 'open';
      stream: MediaStream;
      /** Of the microphone. */
      deviceId: string | null;
      level: SoundLevel;
      /** All that the browser shows. */
      devices: MediaDeviceInfo[];
    }
  | { type: 'refused'; problem: DeviceProblem };

/** Local microphone test before a call. Sends no audio. */
export class MicrophoneCheck {
  readonly #onChange: () => void;
  #state: CheckState = { type: 'closed' };
  /** Changes when an attempt begins or is given up, so that an earlier one opens nothing. */
  #attempt = 0;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get state(): CheckState {
    return this.#state;
  }

  /** `chosenId`: of the microphone to open; null: the one of earlier calls, or the usual one. */
  async open(chosenId: string | null): Promise<void> {
    this.close();
    this.#change({ type: 'closed' });
    const attempt = this.#attempt;
    let stream: MediaStream | null = null;
    let level: SoundLevel | null = null;
    try {
      const earlierId = chosenDevice('audioinput');
      const deviceId = chosenId ? { exact: chosenId } : earlierId;
      const audio = deviceId ? { deviceId } : true;
      stream = await navigator.mediaDevices.getUserMedia({ audio });
      const devices = await navigator.mediaDevices.enumerateDevices();
      if (attempt !== this.#attempt) return release(stream);
      const [track] = stream.getAudioTracks();
      level = new SoundLevel();
      if (track) level.listen(track);
      void level.wake();
      const openId = track?.getSettings().deviceId ?? null;
      this.#change({ type: 'open', stream, deviceId: openId, level, devices });
    } catch (error) {
      release(stream, level);
      if (attempt !== this.#attempt) return;
      this.#change({ type: 'refused', problem: deviceProblemOf(error) });
    }
  }

  /** A problem stays visible until the next attempt. */
  close(): void {
    this.#attempt += 1;
    if (this.#state.type !== 'open') return;
    release(this.#state.stream, this.#state.level);
    this.#change({ type: 'closed' });
  }

  #change(state: CheckState): void {
    this.#state = state;
    this.#onChange();
  }
}

function release(stream: MediaStream | null, level: SoundLevel | null = null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
  void level?.close();
}
