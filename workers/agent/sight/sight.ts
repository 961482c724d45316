/*
 * The sight of the agent: with each question, its model gets the newest frame of the
 * camera, as long as the user shows it. No picture is stored or logged, and the conversation holds
 * none. Owns the subscription to the camera.
 */
import type { Room, VideoFrameEvent } from '@livekit/rtc-node';
import { SEES } from '#protocol/room-terms.ts';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { watchCamera, type CameraOptions } from './camera.ts';
import { NewestFrame } from './newest-frame.ts';
import { pictureOf } from './picture.ts';

type SightParts = {
  room: Room;
  userIdentity: string;
  /** Tells the service that the model refuses pictures. */
  onRefused: () => void;
  openVideo?: CameraOptions['openVideo'];
  clock: Pick<Clock, 'elapsed'>;
  log: Log;
};

export class Sight {
  readonly #parts: SightParts;
  readonly #frames: NewestFrame<VideoFrameEvent>;
  #stop: (() => void) | null = null;
  #isRefused = false;

  constructor(parts: SightParts) {
    this.#parts = parts;
    this.#frames = new NewestFrame(parts.clock);
  }

  /** Once the room is joined. */
  start(): void {
    this.#stop = watchCamera({ ...this.#parts, frames: this.#frames });
  }

  /** A JPEG as a data URL. Null: the camera is off, or the model refuses pictures. */
  async picture(): Promise<string | null> {
    const frame = this.#frames.current;
    try {
      return frame && (await pictureOf(frame));
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'frame of the camera not encoded');
      return null;
    }
  }

  /** The model refused a picture: it gets no more in this call, and the user's page says so. */
  refused(status: number | undefined): void {
    if (this.#isRefused) return;
    this.#isRefused = true;
    const { room, onRefused, log } = this.#parts;
    log.warn({ status }, 'the language model refuses pictures: it gets none in this call');
    this.close();
    // It rejects only when the agent leaves the room.
    room.localParticipant?.setAttributes({ [SEES]: 'no' }).catch(() => {});
    onRefused();
  }

  close(): void {
    this.#stop?.();
    this.#stop = null;
  }
}
