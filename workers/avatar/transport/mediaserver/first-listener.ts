import { RoomEvent, TrackKind, type Room } from '@livekit/rtc-node';
import type { Clock } from '#shared/clock.ts';

/** Time to subscribe. Some never do, and the SDK may miss early participants. */
export const SUBSCRIBE_MS = 1_000;
/** With several participants, the first to subscribe may be the agent. Others follow this soon. */
const OTHERS_MS = 100;

/**
 * Waits for the first participant that receives the avatar's sound: a few hundred milliseconds
 * after the agent sees the avatar and may speak. Speech played before loses its beginning.
 */
export class FirstListener {
  readonly #room: Pick<Room, 'on' | 'remoteParticipants'>;
  readonly #clock: Clock;
  readonly #audible = Promise.withResolvers<void>();
  #isSubscribed = false;
  #isClosed = false;
  #cancelWait = () => {};

  constructor(room: Pick<Room, 'on' | 'remoteParticipants'>, clock: Clock) {
    this.#room = room;
    this.#clock = clock;
    onSoundSubscribed(room, () => this.#subscribed());
  }

  /** Resolves when speech may begin. */
  get audible(): Promise<void> {
    return this.#audible.promise;
  }

  /** The tracks are published. Without listeners, speech may begin at once. */
  published(listeners: number): void {
    if (listeners === 0) return this.#audible.resolve();
    if (!this.#isSubscribed) this.#endAfter(SUBSCRIBE_MS);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelWait();
  }

  #subscribed(): void {
    if (this.#isSubscribed) return;
    this.#isSubscribed = true;
    this.#endAfter(this.#room.remoteParticipants.size > 1 ? OTHERS_MS : 0);
  }

  #endAfter(waitMs: number): void {
    this.#cancelWait();
    if (!this.#isClosed) this.#cancelWait = this.#clock.after(waitMs, this.#audible.resolve);
  }
}

/** Calls `run` when a participant subscribes to the avatar's sound. */
export function onSoundSubscribed(room: Pick<Room, 'on'>, run: () => void): void {
  room.on(RoomEvent.LocalTrackSubscribed, ({ kind }) => {
    if (kind === TrackKind.KIND_AUDIO) run();
  });
}
