import { RoomEvent, TrackKind, type Room, type RemoteTrackPublication } from '@livekit/rtc-node';
import { Listener } from '../../stage/listener.ts';
import { joined } from './pcm.ts';
import { LOUD, RATE } from './rising-tone.ts';

/** `at`: arrival time, by `performance.now`. */
type Piece = { at: number; samples: Int16Array; isLoud: boolean };

/** A participant that hears everyone and records when. Leave the room after the test. */
export class SoundRecorder {
  readonly #listener: Listener;
  readonly #pieces = new Map<string, Piece[]>();

  constructor() {
    this.#listener = new Listener({
      sound: (samples, { identity }) => {
        const isLoud = samples.some((sample) => Math.abs(sample) > LOUD);
        this.#of(identity).push({ at: performance.now(), samples, isLoud });
      },
    });
    this.room.on(RoomEvent.TrackPublished, subscribe);
  }

  get room(): Room {
    return this.#listener.room;
  }

  async join(url: string, token: string): Promise<void> {
    await this.#listener.join(url, token, false);
    for (const { trackPublications } of this.room.remoteParticipants.values())
      for (const publication of trackPublications.values()) subscribe(publication);
  }

  /** Resolves with the time when this participant's sound becomes loud. */
  onset(identity: string): Promise<number> {
    const pieces = this.#of(identity);
    let index = pieces.length;
    return this.#listener.find(`sound of ${identity}`, () => {
      for (; index < pieces.length; index++) if (pieces[index]!.isLoud) return pieces[index]!.at;
      return null;
    });
  }

  /** Resolves with the start of a silence of this length, after sound was heard. */
  silence(identity: string, forSeconds: number): Promise<number> {
    const pieces = this.#of(identity);
    return this.#listener.find(`silence of ${identity}`, () => {
      const lastLoud = pieces.findLastIndex(({ isLoud }) => isLoud);
      const silent = pieces.slice(lastLoud + 1);
      const length = silent.reduce((sum, { samples }) => sum + samples.length, 0);
      return lastLoud >= 0 && length >= forSeconds * RATE ? pieces[lastLoud]!.at : null;
    });
  }

  /** The sound of a participant since this time. */
  soundOf(identity: string, since = 0): Int16Array {
    const pieces = this.#of(identity).filter(({ at }) => at >= since);
    return joined(...pieces.map(({ samples }) => samples));
  }

  leave(): Promise<void> {
    return this.#listener.leave();
  }

  #of(identity: string): Piece[] {
    const pieces = this.#pieces.get(identity) ?? [];
    this.#pieces.set(identity, pieces);
    return pieces;
  }
}

/** Pictures, whose decoding costs more than listening, are not received. */
function subscribe(publication: RemoteTrackPublication): void {
  if (publication.kind === TrackKind.KIND_AUDIO) publication.setSubscribed(true);
}
