import { EventEmitter } from 'node:events';
import {
  ParticipantKind,
  RoomEvent,
  TrackKind,
  TrackSource,
  type RemoteTrack,
} from '@livekit/rtc-node';

export type Publication = {
  sid: string;
  name: string;
  kind: TrackKind;
  source: TrackSource;
  muted: boolean;
  track: RemoteTrack | undefined;
  subscriptions: boolean[];
  setSubscribed(subscribed: boolean): void;
};

type Participant = {
  identity: string;
  kind: ParticipantKind;
  trackPublications: Map<string, Publication>;
};

/** The SDK's view of a room, with events in its order. Subscribed tracks arrive at once. */
export class FakeSdkRoom extends EventEmitter {
  readonly remoteParticipants = new Map<string, Participant>();
  /** The audio of each track by sid; `ended` and `closed` list their ends. */
  readonly sounds = new Map<string, ReadableStreamDefaultController<{ data: Int16Array }>>();
  readonly ended: string[] = [];
  readonly closed: string[] = [];
  /** The sample rate of each track that was opened. */
  readonly rates: number[] = [];
  /** Tracks that are gone before the SDK emits an event. */
  readonly removedTracks = new Set<string>();
  #lastSid = 0;

  comes(identity: string, kind: ParticipantKind = ParticipantKind.STANDARD): void {
    this.remoteParticipants.set(identity, { identity, kind, trackPublications: new Map() });
    this.emit(RoomEvent.ParticipantConnected);
  }

  goes(identity: string): void {
    this.remoteParticipants.delete(identity);
    this.emit(RoomEvent.ParticipantDisconnected);
  }

  publishes(identity: string, fields: Partial<Publication> = {}): Publication {
    const sid = `track-${++this.#lastSid}`;
    const publication: Publication = {
      sid,
      name: 'voice',
      kind: TrackKind.KIND_AUDIO,
      source: TrackSource.SOURCE_MICROPHONE,
      muted: false,
      track: undefined,
      subscriptions: [],
      setSubscribed: (subscribed) => {
        publication.subscriptions.push(subscribed);
        queueMicrotask(() => this.#subscribe(publication, subscribed));
      },
      ...fields,
    };
    const participant = this.remoteParticipants.get(identity)!;
    participant.trackPublications.set(sid, publication);
    this.emit(RoomEvent.TrackPublished, publication, participant);
    return publication;
  }

  unpublishes(identity: string, { sid }: Publication): void {
    this.remoteParticipants.get(identity)!.trackPublications.delete(sid);
    this.emit(RoomEvent.TrackUnpublished);
  }

  mutes(publication: Publication, isMuted: boolean): void {
    publication.muted = isMuted;
    const event = isMuted ? RoomEvent.TrackMuted : RoomEvent.TrackUnmuted;
    this.emit(event, publication, this.#publisherOf(publication));
  }

  readonly openSound = (
    { sid }: RemoteTrack,
    rate: number,
  ): ReadableStream<{ data: Int16Array }> => {
    this.rates.push(rate);
    if (this.removedTracks.has(sid!)) throw new Error('invalid request: handle is not a track');
    return new ReadableStream({
      start: (controller) => void this.sounds.set(sid!, controller),
      cancel: () => {
        this.sounds.delete(sid!);
        this.ended.push(sid!);
      },
    });
  };

  says({ sid }: Publication, sample: number): void {
    this.sounds.get(sid)?.enqueue({ data: new Int16Array(480).fill(sample) });
  }

  #subscribe(publication: Publication, isWanted: boolean): void {
    const { sid } = publication;
    const opened = { sid, close: async () => void this.closed.push(sid) };
    const track = isWanted ? (opened as unknown as RemoteTrack) : publication.track;
    publication.track = isWanted ? track : undefined;
    const event = isWanted ? RoomEvent.TrackSubscribed : RoomEvent.TrackUnsubscribed;
    this.emit(event, track, publication, this.#publisherOf(publication));
  }

  #publisherOf({ sid }: Publication): Participant | undefined {
    return [...this.remoteParticipants.values()].find(({ trackPublications }) =>
      trackPublications.has(sid),
    );
  }
}
