import type { Room } from 'livekit-client';
import { SoundLevel } from '../../call/sound/sound-level.ts';
import type { CallState } from '../../call/state/call-state.ts';
import { LevelMeter } from '../level-meter.ts';

/** Shows the level of the microphone on its button, while it is on. */
export class MicrophoneLevel {
  readonly #button: HTMLElement;
  readonly #meter = new LevelMeter();
  #track: MediaStreamTrack | undefined;
  #level: SoundLevel | null = null;

  constructor(button: HTMLElement) {
    this.#button = button;
  }

  show({ devices }: Pick<CallState, 'devices'>, room: Pick<Room, 'localParticipant'> | null): void {
    const [microphone] = room?.localParticipant.audioTrackPublications.values() ?? [];
    const track = devices.microphone.isOn ? microphone?.track?.mediaStreamTrack : undefined;
    // Another microphone has another track.
    if (track === this.#track) return;
    this.#track = track;
    if (track) {
      this.#level ??= new SoundLevel();
      this.#level.listen(track);
      void this.#level.wake();
      this.#button.append(this.#meter.node);
    } else {
      void this.#level?.close();
      this.#level = null;
      this.#meter.node.remove();
    }
    this.#meter.follow(this.#level);
  }
}
