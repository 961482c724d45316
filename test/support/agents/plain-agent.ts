import {
  AudioFrame,
  AudioSource,
  LocalAudioTrack,
  Room,
  TrackPublishOptions,
  TrackSource,
  type LocalTrackPublication,
} from '@livekit/rtc-node';
import { leave } from '../leave.ts';

const RATE = 48_000;
const PIECE = RATE / 10;

/** A voice agent that publishes an audio track and does not know of avatars. */
export class PlainAgent {
  readonly room = new Room();
  /** RPC calls from the avatar. */
  readonly calls: string[] = [];
  readonly #source = new AudioSource(RATE, 1, 200);
  #publication: LocalTrackPublication | null = null;

  async join(url: string, token: string): Promise<void> {
    await this.room.connect(url, token, { autoSubscribe: false, dynacast: false });
    for (const method of ['lk.playback_started', 'lk.playback_finished']) {
      this.room.localParticipant!.registerRpcMethod(method, async () => {
        this.calls.push(method);
        return 'ok';
      });
    }
  }

  async publish(): Promise<LocalTrackPublication> {
    const track = LocalAudioTrack.createAudioTrack('voice', this.#source);
    const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
    this.#publication = await this.room.localParticipant!.publishTrack(track, options);
    return this.#publication;
  }

  /** Resolves when the track has a subscriber. */
  async publishToListener(): Promise<LocalTrackPublication> {
    const publication = await this.publish();
    await publication.waitForSubscription();
    return publication;
  }

  async unpublish(): Promise<void> {
    await this.room.localParticipant!.unpublishTrack(this.#publication!.sid!, false);
  }

  /** Samples at 48 kHz. Resolves when all of them have been sent. */
  async say(samples: Int16Array): Promise<void> {
    for (let at = 0; at < samples.length; at += PIECE) {
      const piece = samples.slice(at, at + PIECE);
      await this.#source.captureFrame(new AudioFrame(piece, RATE, 1, piece.length));
    }
    await this.#source.waitForPlayout();
  }

  leave(): Promise<void> {
    return leave(this.room);
  }
}
