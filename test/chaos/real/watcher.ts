import {
  AudioStream,
  Room,
  RoomEvent,
  TrackKind,
  VideoStream,
  type RemoteTrack,
} from '@livekit/rtc-node';
import { unlessLeft } from '../../support/picture/left-track.ts';
import { joined } from '../../support/sound/pcm.ts';
import { lastSecond, RATE } from '../../support/sound/rising-tone.ts';
import type { Bounds } from './bounds.ts';
import { leave } from '../../support/leave.ts';

/** A gap in the picture. `toMs` is null while it lasts. */
export type Gap = { fromMs: number; toMs: number | null };

/**
 * Watches one avatar continuously: gaps in its picture, and more than one participant at a time.
 * Leave the room at the end.
 */
export class Watcher {
  readonly gaps: Gap[] = [];
  /** Violations. */
  readonly problems: string[] = [];
  readonly #room = new Room();
  readonly #identity: string;
  readonly #steadyMs: number;
  /** Participants with the avatar's identity, oldest first. */
  readonly #seats: string[] = [];
  /** An unsubscribed track may still deliver its successor's frames. */
  readonly #subscribed = new Set<RemoteTrack>();
  #shown: string | null = null;
  #frames = 0;
  #lastFrameMs: number | null = null;
  #heard: Int16Array[] = [];
  #hasLeft = false;

  constructor(identity: string, { steadyMs }: Pick<Bounds, 'steadyMs'>) {
    this.#identity = identity;
    this.#steadyMs = steadyMs;
    this.#room
      .on(RoomEvent.ParticipantConnected, () => this.#countAvatars())
      .on(RoomEvent.TrackPublished, () => this.#countAvatars())
      .on(RoomEvent.TrackSubscribed, (track, _publication, { identity, sid }) => {
        if (identity !== this.#identity) return;
        this.#subscribed.add(track);
        const isPicture = track.kind === TrackKind.KIND_VIDEO;
        (isPicture ? this.#watch(track, sid!) : this.#listen(track)).catch(unlessLeft);
      })
      .on(RoomEvent.TrackUnsubscribed, (track) => this.#subscribed.delete(track));
  }

  async join(url: string, token: string): Promise<void> {
    await this.#room.connect(url, token, { autoSubscribe: true, dynacast: false });
  }

  get frames(): number {
    return this.#frames;
  }

  /** Number of participants that have shown a picture under the avatar's identity. */
  get seats(): number {
    return this.#seats.length;
  }

  /** All gaps so far, including an open one. */
  gapsUntil(nowMs: number): Gap[] {
    const last = this.#lastFrameMs;
    if (last === null || nowMs - last <= this.#steadyMs) return this.gaps;
    return [...this.gaps, { fromMs: last, toMs: null }];
  }

  /** Forgets the sound heard so far. */
  forget(): void {
    this.#heard = [];
  }

  /** The last second of the rising tone that is heard clearly. */
  lastHeard(): number | null {
    return lastSecond(joined(...this.#heard.slice(-100)));
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    await leave(this.#room);
  }

  async #watch(track: RemoteTrack, seat: string): Promise<void> {
    for await (const _ of new VideoStream(track)) {
      if (this.#hasLeft || !this.#subscribed.has(track)) return;
      this.#show(seat);
      const nowMs = performance.now();
      const last = this.#lastFrameMs ?? nowMs;
      if (nowMs - last > this.#steadyMs) this.gaps.push({ fromMs: last, toMs: nowMs });
      this.#lastFrameMs = nowMs;
      this.#frames += 1;
    }
  }

  /** A replaced avatar must not be seen again. */
  #show(seat: string): void {
    if (seat === this.#shown) return;
    this.#shown = seat;
    if (this.#seats.includes(seat))
      this.problems.push(`the replaced avatar ${seat} was seen again`);
    else this.#seats.push(seat);
  }

  async #listen(track: RemoteTrack): Promise<void> {
    for await (const { data } of new AudioStream(track, RATE, 1)) {
      if (!this.#subscribed.has(track)) return;
      this.#heard.push(data.slice());
    }
  }

  #countAvatars(): void {
    const avatars = [...this.#room.remoteParticipants.values()].flatMap((participant) =>
      [...participant.trackPublications.values()]
        .filter(({ kind }) => kind === TrackKind.KIND_VIDEO)
        .map(() => participant.identity),
    );
    if (avatars.length > 1 || avatars.some((identity) => identity !== this.#identity))
      this.problems.push(`${avatars.length} avatars at once: ${avatars.join(', ')}`);
  }
}
