import { AudioStream, Room, RoomEvent, TrackKind, type RemoteTrack } from '@livekit/rtc-node';
import { unlessLeft } from '../picture/left-track.ts';
import { LOUD, RATE } from './rising-tone.ts';
import { leave } from '../leave.ts';

/** `at`: arrival time, by `performance.now`. */
type Piece = { at: number; samples: Int16Array; isLoud: boolean };

/** A participant that hears everyone and records when. Leave the room after the test. */
export class Ears {
  readonly room = new Room();
  readonly #pieces = new Map<string, Piece[]>();
  readonly #watchers = new Set<() => void>();

  constructor() {
    this.room.on(RoomEvent.TrackPublished, (publication) => {
      if (publication.kind === TrackKind.KIND_AUDIO) publication.setSubscribed(true);
    });
    this.room.on(RoomEvent.TrackSubscribed, (track, _publication, { identity }) => {
      if (track.kind !== TrackKind.KIND_AUDIO) return;
      this.#listen(track, this.#of(identity)).catch(unlessLeft);
    });
  }

  async join(url: string, token: string): Promise<void> {
    await this.room.connect(url, token, { autoSubscribe: false, dynacast: false });
    for (const { trackPublications } of this.room.remoteParticipants.values()) {
      for (const publication of trackPublications.values())
        if (publication.kind === TrackKind.KIND_AUDIO) publication.setSubscribed(true);
    }
  }

  /** Resolves with the time when this participant's sound becomes loud. */
  onset(identity: string): Promise<number> {
    const pieces = this.#of(identity);
    let next = pieces.length;
    return this.#when(() => {
      for (; next < pieces.length; next++) if (pieces[next]!.isLoud) return pieces[next]!.at;
      return null;
    });
  }

  /** Resolves with the start of a silence of this length, after sound was heard. */
  silence(identity: string, forSeconds: number): Promise<number> {
    const pieces = this.#of(identity);
    return this.#when(() => {
      const last = pieces.findLastIndex(({ isLoud }) => isLoud);
      const silent = pieces.slice(last + 1);
      const length = silent.reduce((sum, { samples }) => sum + samples.length, 0);
      return last >= 0 && length >= forSeconds * RATE ? pieces[last]!.at : null;
    });
  }

  /** The sound of a participant since this time. */
  heard(identity: string, since = 0): Int16Array {
    const pieces = this.#of(identity).filter(({ at }) => at >= since);
    const whole = new Int16Array(pieces.reduce((sum, { samples }) => sum + samples.length, 0));
    let at = 0;
    for (const { samples } of pieces) {
      whole.set(samples, at);
      at += samples.length;
    }
    return whole;
  }

  leave(): Promise<void> {
    return leave(this.room);
  }

  #of(identity: string): Piece[] {
    const pieces = this.#pieces.get(identity) ?? [];
    this.#pieces.set(identity, pieces);
    return pieces;
  }

  async #listen(track: RemoteTrack, pieces: Piece[]): Promise<void> {
    for await (const { data } of new AudioStream(track, RATE, 1)) {
      const isLoud = data.some((sample) => Math.abs(sample) > LOUD);
      pieces.push({ at: performance.now(), samples: data.slice(), isLoud });
      for (const watch of this.#watchers) watch();
    }
  }

  #when(find: () => number | null): Promise<number> {
    return new Promise((resolve) => {
      const watch = () => {
        const found = find();
        if (found === null) return;
        this.#watchers.delete(watch);
        resolve(found);
      };
      this.#watchers.add(watch);
      watch();
    });
  }
}
