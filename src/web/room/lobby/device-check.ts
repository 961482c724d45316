import { chosenDevice } from '../../call/devices/chosen-devices.ts';
import { deviceProblemOf } from '../../call/devices/device-problems.ts';
import type { DeviceProblem } from '../../call/state/call-state.ts';

export type DeviceCheckState =
  | { type: 'closed' }
  | {
      type: 'open';
      stream: MediaStream;
      /** Id of the open device. */
      deviceId: string | null;
      /** All that the browser shows. */
      devices: MediaDeviceInfo[];
    }
  | { type: 'refused'; problem: DeviceProblem };

/** Opens a microphone or a camera on this machine before a call. Sends nothing. */
export class DeviceCheck {
  readonly #kind: 'audioinput' | 'videoinput';
  readonly #onChange: () => void;
  #state: DeviceCheckState = { type: 'closed' };
  /** Changes when an attempt begins or is given up, so that an earlier one opens nothing. */
  #attempt = 0;

  constructor(kind: 'audioinput' | 'videoinput', onChange: () => void) {
    this.#kind = kind;
    this.#onChange = onChange;
  }

  get state(): DeviceCheckState {
    return this.#state;
  }

  /** `chosenId`: of the device to open; null: the one of earlier calls, or the usual one. */
  async open(chosenId: string | null): Promise<void> {
    this.close();
    this.#change({ type: 'closed' });
    const attempt = this.#attempt;
    let stream: MediaStream | null = null;
    try {
      const earlierId = chosenDevice(this.#kind);
      const deviceId = chosenId ? { exact: chosenId } : earlierId;
      const constraints = deviceId ? { deviceId } : true;
      stream = await navigator.mediaDevices.getUserMedia(
        this.#kind === 'audioinput' ? { audio: constraints } : { video: constraints },
      );
      const devices = await navigator.mediaDevices.enumerateDevices();
      if (attempt !== this.#attempt) return release(stream);
      const openId = stream.getTracks()[0]?.getSettings().deviceId ?? null;
      this.#change({ type: 'open', stream, deviceId: openId, devices });
    } catch (error) {
      release(stream);
      if (attempt !== this.#attempt) return;
      this.#change({ type: 'refused', problem: deviceProblemOf(error) });
    }
  }

  /** A problem stays visible until the next attempt. */
  close(): void {
    this.#attempt += 1;
    if (this.#state.type !== 'open') return;
    release(this.#state.stream);
    this.#change({ type: 'closed' });
  }

  #change(state: DeviceCheckState): void {
    this.#state = state;
    this.#onChange();
  }
}

function release(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
