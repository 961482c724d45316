import type { Room, TrackPublishOptions } from 'livekit-client';
import { deviceProblemOf } from './device-problems.ts';
import type { Device, DeviceKind } from '../state/call-state.ts';

/** The used part of livekit-client's room. */
type Devices = {
  localParticipant: Pick<Room['localParticipant'], 'setMicrophoneEnabled' | 'setCameraEnabled'>;
};

const KINDS = ['microphone', 'camera'] as const;

/** The person's microphone and camera: which are wanted, and which are on. */
export class OwnDevices {
  readonly #room: Devices;
  readonly #onChange: (kind: DeviceKind, device: Device) => void;
  readonly #cameraOptions: TrackPublishOptions | undefined;
  readonly #wanted = new Set<DeviceKind>();
  /** One change at a time: a microphone that opens slowly must not stay on after its end. */
  readonly #changes = { microphone: Promise.resolve(), camera: Promise.resolve() };

  constructor(
    room: Devices,
    onChange: (kind: DeviceKind, device: Device) => void,
    cameraOptions?: TrackPublishOptions,
  ) {
    this.#room = room;
    this.#onChange = onChange;
    this.#cameraOptions = cameraOptions;
  }

  wants(kind: DeviceKind): boolean {
    return this.#wanted.has(kind);
  }

  get wanted(): DeviceKind[] {
    return KINDS.filter((kind) => this.wants(kind));
  }

  /** Takes effect when the device is turned on. */
  want(kind: DeviceKind, isWanted: boolean): void {
    if (isWanted) this.#wanted.add(kind);
    else this.#wanted.delete(kind);
  }

  /** A device that does not open is no longer wanted. */
  turn(kind: DeviceKind, isOn: boolean): Promise<void> {
    this.want(kind, isOn);
    this.#changes[kind] = this.#changes[kind].then(() => this.#change(kind, isOn));
    return this.#changes[kind];
  }

  async #change(kind: DeviceKind, isOn: boolean): Promise<void> {
    // A newer wish follows.
    if (this.wants(kind) !== isOn) return;
    const { localParticipant } = this.#room;
    try {
      await (kind === 'microphone'
        ? localParticipant.setMicrophoneEnabled(isOn)
        : localParticipant.setCameraEnabled(isOn, undefined, this.#cameraOptions));
      this.#onChange(kind, { isOn, problem: null });
    } catch (error) {
      this.want(kind, false);
      this.#onChange(kind, { isOn: false, problem: deviceProblemOf(error) });
    }
  }
}
