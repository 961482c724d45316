import {
  AudioStream,
  Room,
  RoomEvent,
  TrackKind,
  VideoStream,
  type RemoteTrack,
  type RemoteTrackPublication,
  type VideoFrame,
} from '@livekit/rtc-node';
import { leave } from '../support/leave.ts';
import { PATIENCE_MS } from '../support/patience.ts';

/** The participant that sent a frame. A successor has the same identity and another `sid`. */
export type Source = { identity: string; sid: string; track: string };

type Handlers = {
  picture?: (frame: VideoFrame, from: Source) => void;
  /** Samples at 48 kHz, in memory of their own. */
  sound?: (samples: Int16Array, from: Source) => void;
};

const RATE = 48_000;

/** A participant that receives pictures and sound of others. Leave the room after the test. */
export class Listener {
  readonly room = new Room();
  readonly #handlers: Handlers;
  readonly #readers = new Map<RemoteTrack, ReadableStreamDefaultReader>();
  readonly #watchers = new Set<() => void>();

  /** `from`: the identity to receive, by default everyone. */
  constructor(handlers: Handlers, from?: string) {
    this.#handlers = handlers;
    this.room
      .on(RoomEvent.TrackSubscribed, (track, _publication, { identity, sid = '' }) => {
        if (from !== undefined && identity !== from) return;
        this.#receive(track, { identity, sid, track: track.sid ?? '' }).catch(unlessLeft);
      })
      // Otherwise the SDK gives the frames of the next track to this one's stream, too, before it
      // announces that track.
      .on(RoomEvent.TrackUnsubscribed, (track) => this.#stopReading(track))
      .on(RoomEvent.TrackPublished, () => this.#notice());
  }

  join(url: string, token: string, autoSubscribe = true): Promise<void> {
    return this.room.connect(url, token, { autoSubscribe, dynacast: false });
  }

  async leave(): Promise<void> {
    await leave(this.room);
    // The SDK neither announces nor ends a track that leaves at the same moment.
    for (const track of this.#readers.keys()) this.#stopReading(track);
  }

  publicationsOf(identity: string): RemoteTrackPublication[] {
    const participants = [...this.room.remoteParticipants.values()];
    const participant = participants.find((participant) => participant.identity === identity);
    return [...(participant?.trackPublications.values() ?? [])];
  }

  /** Resolves with the result of `find`, called with each publication and frame. */
  find<Found>(
    description: string,
    find: () => Found | null,
    patienceMs = PATIENCE_MS,
  ): Promise<Found> {
    return new Promise((resolve, reject) => {
      const settle = (done: () => void) => {
        clearTimeout(late);
        this.#watchers.delete(watch);
        done();
      };
      const watch = () => {
        const result = find();
        if (result !== null) settle(() => resolve(result));
      };
      const late = setTimeout(
        () => settle(() => reject(new Error(`did not come true: ${description}`))),
        patienceMs,
      );
      this.#watchers.add(watch);
      watch();
    });
  }

  #notice(): void {
    for (const watch of this.#watchers) watch();
  }

  async #receive(track: RemoteTrack, from: Source): Promise<void> {
    const { picture, sound } = this.#handlers;
    if (track.kind === TrackKind.KIND_VIDEO) {
      if (picture)
        await this.#read(track, new VideoStream(track), (part) => picture(part.frame, from));
    } else if (sound)
      await this.#read(track, new AudioStream(track, RATE, 1), ({ data }) =>
        sound(data.slice(), from),
      );
  }

  async #read<Part>(
    track: RemoteTrack,
    stream: ReadableStream<Part>,
    take: (part: Part) => void,
  ): Promise<void> {
    const reader = stream.getReader();
    this.#readers.set(track, reader);
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      take(read.value);
      this.#notice();
    }
  }

  #stopReading(track: RemoteTrack): void {
    void this.#readers.get(track)?.cancel();
    this.#readers.delete(track);
  }
}

/** A track that left before its announcement arrived cannot be opened and shows nothing. */
function unlessLeft(error: unknown): void {
  if (!(error instanceof Error && error.message.includes('handle is not a'))) throw error;
}
