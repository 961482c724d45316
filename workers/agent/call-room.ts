import {
  Room,
  RoomEvent,
  TrackKind,
  TrackSource,
  type RemoteTrackPublication,
} from '@livekit/rtc-node';
import { inTime, type Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import {
  AGENT_EPOCH,
  AGENT_LISTENING,
  AGENT_STATE,
  CLEAR_BUFFER,
  HEARS,
  HUSH,
  PLAYBACK_FINISHED,
  PLAYBACK_STARTED,
  RPC_OK,
  RPC_REJECT,
  SPEECH_CHANNELS,
  SPEECH_RATE as RATE_ATTRIBUTE,
  SPEECH_TOPIC,
} from '#protocol/room-terms.ts';
import { newName } from '#shared/ids.ts';
import { endReasonOf } from '../runtime/disconnects.ts';
import { leaveRoom } from '../runtime/leave-room.ts';
import { isExpired, outlives } from '../runtime/room-token.ts';
import { parseFinished, type Face, type Finished, type SpeechStream } from './speech/face.ts';

const CONNECT_MS = 15_000;
/** A face that was cut is shown again within it, or it was cut by something else. */
const REPLACED_MS = 20_000;
/** Of a stream's chunk. */
const MAX_CHUNK_BYTES = 15_000;

export type CallRoomListener = {
  /** Whether the call's user is in the room: on joining and on every change. */
  user(isHere: boolean): void;
  renewed(token: string): void;
  playbackStarted(): void;
  playbackFinished(finished: Finished): void;
};

/** What a conversation needs of the room that it is held in. */
export interface CallRoom {
  /** Resolves when we are out, not by `close`. */
  readonly left: Promise<EndReason>;
  readonly face: Face;
  /** What the framework listens in; absent in tests. */
  readonly room?: Room;
  /** Rejects with the reason as an end. */
  join(listener: CallRoomListener): Promise<void>;
  /** That it listens now, whether it understands speech, and under which epoch it talks. */
  tellReady(hears: boolean, epoch: number): Promise<void>;
  close(): Promise<void>;
}

/** The room would not have us. */
export class RoomClosed extends Error {
  override readonly name = 'RoomClosed';
  readonly reason: EndReason;

  constructor(reason: EndReason, options?: ErrorOptions) {
    super(`the room is closed to us: ${reason}`, options);
    this.reason = reason;
  }
}

export type CallRoomOptions = {
  url: string;
  token: string;
  userIdentity: string;
  faceIdentity: string;
  /** Whether the user's microphone is listened to. */
  hears: boolean;
  clock: Clock;
  log: Log;
};

/** A call's room on a LiveKit media server. */
export class MediaServerRoom implements CallRoom {
  readonly room = new Room();
  readonly face: Face;
  readonly #options: CallRoomOptions;
  readonly #left = Promise.withResolvers<EndReason>();
  readonly #closed = new AbortController();
  #token: string;
  #connecting: Promise<void> | null = null;
  #closing: Promise<void> | null = null;

  constructor(options: CallRoomOptions) {
    this.#options = options;
    this.#token = options.token;
    this.face = {
      shown: (anew) => this.#faceShown(anew),
      openStream: (sampleRate) => this.#openStream(sampleRate),
      clear: () => this.#clear(),
    };
  }

  get left(): Promise<EndReason> {
    return this.#left.promise;
  }

  async join(listener: CallRoomListener): Promise<void> {
    const { url, token, clock } = this.#options;
    this.#listen(listener);
    // Nobody here looks at pictures: what is wanted is subscribed to by name.
    this.#connecting = this.room.connect(url, token, { autoSubscribe: false, dynacast: false });
    try {
      await inTime(
        clock,
        CONNECT_MS,
        this.#connecting,
        () => new Error('the media server did not answer in time'),
      );
    } catch (cause) {
      const reason = isExpired(token, clock.now()) ? 'token_expired' : 'room_refused';
      throw new RoomClosed(reason, { cause });
    }
    this.#answerFace(listener);
    for (const { trackPublications, identity } of this.room.remoteParticipants.values())
      for (const publication of trackPublications.values()) this.#subscribe(publication, identity);
    this.#tellUser(listener);
  }

  async tellReady(hears: boolean, epoch: number): Promise<void> {
    await this.room.localParticipant!.setAttributes({
      [HEARS]: hears ? 'yes' : 'no',
      [AGENT_EPOCH]: String(epoch),
      // The framework tells of changes, and this is no change to it.
      [AGENT_STATE]: AGENT_LISTENING,
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #listen(listener: CallRoomListener): void {
    const { room } = this;
    room.on(RoomEvent.ParticipantConnected, () => this.#tellUser(listener));
    room.on(RoomEvent.ParticipantDisconnected, () => this.#tellUser(listener));
    room.on(RoomEvent.TrackPublished, (publication, { identity }) =>
      this.#subscribe(publication, identity),
    );
    room.on(RoomEvent.TokenRefreshed, () => {
      const { token } = room;
      if (token === undefined || !outlives(token, this.#token)) return;
      this.#token = token;
      listener.renewed(token);
    });
    room.on(RoomEvent.Disconnected, (reason) => {
      this.#closed.abort(new Error('the room was left'));
      this.#left.resolve(endReasonOf(reason));
    });
  }

  /** Each room for itself: all faces have one name, and their calls must not get into another conversation. */
  #answerFace(listener: CallRoomListener): void {
    const local = this.room.localParticipant!;
    const { faceIdentity } = this.#options;
    local.registerRpcMethod(PLAYBACK_STARTED, async ({ callerIdentity }) => {
      if (callerIdentity !== faceIdentity) return RPC_REJECT;
      listener.playbackStarted();
      return RPC_OK;
    });
    local.registerRpcMethod(PLAYBACK_FINISHED, async ({ callerIdentity, payload }) => {
      const finished = parseFinished(payload);
      if (callerIdentity !== faceIdentity || !finished) return RPC_REJECT;
      listener.playbackFinished(finished);
      return RPC_OK;
    });
  }

  #tellUser(listener: CallRoomListener): void {
    listener.user(this.room.remoteParticipants.has(this.#options.userIdentity));
  }

  #subscribe(publication: RemoteTrackPublication, identity: string): void {
    const { hears, userIdentity } = this.#options;
    if (hears && identity === userIdentity && publication.source === TrackSource.SOURCE_MICROPHONE)
      publication.setSubscribed(true);
  }

  #faceShown(anew: boolean): Promise<void> {
    const { faceIdentity, clock } = this.#options;
    const { signal } = this.#closed;
    const isShown = () =>
      [...(this.room.remoteParticipants.get(faceIdentity)?.trackPublications.values() ?? [])].some(
        ({ kind }) => kind === TrackKind.KIND_VIDEO,
      );
    if (!anew && isShown()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const onPublished = (
        publication: RemoteTrackPublication,
        { identity }: { identity: string },
      ) =>
        identity === faceIdentity && publication.kind === TrackKind.KIND_VIDEO && settle(resolve);
      const onClosed = () => settle(() => reject(signal.reason));
      // Only who waits for another one gives up: the first face comes, or the call ends.
      const cancel = anew ? clock.after(REPLACED_MS, () => isShown() && settle(resolve)) : () => {};
      const settle = (how: () => void) => {
        cancel();
        this.room.off(RoomEvent.TrackPublished, onPublished);
        signal.removeEventListener('abort', onClosed);
        how();
      };
      this.room.on(RoomEvent.TrackPublished, onPublished);
      signal.addEventListener('abort', onClosed, { once: true });
      if (signal.aborted) onClosed();
    });
  }

  async #openStream(sampleRate: number): Promise<SpeechStream> {
    const writer = await this.room.localParticipant!.streamBytes({
      name: newName('AUDIO'),
      topic: SPEECH_TOPIC,
      destinationIdentities: [this.#options.faceIdentity],
      attributes: { [RATE_ATTRIBUTE]: String(sampleRate), [SPEECH_CHANNELS]: '1' },
    });
    return {
      async write(bytes) {
        for (let at = 0; at < bytes.length; at += MAX_CHUNK_BYTES)
          await writer.write(bytes.slice(at, at + MAX_CHUNK_BYTES));
      },
      close: () => writer.close(),
    };
  }

  async #clear(): Promise<void> {
    const { userIdentity, faceIdentity, log } = this.#options;
    const local = this.room.localParticipant!;
    local
      .publishData(new Uint8Array(), {
        reliable: true,
        topic: HUSH,
        destination_identities: [userIdentity],
      })
      .catch((error: unknown) => log.warn({ err: error }, 'the user was not told of the silence'));
    await local.performRpc({
      destinationIdentity: faceIdentity,
      method: CLEAR_BUFFER,
      payload: '',
    });
  }

  async #close(): Promise<void> {
    this.#closed.abort(new Error('the room was left'));
    // A connect cannot be called off: it is left to end, and then undone.
    await this.#connecting?.catch(() => {});
    await leaveRoom(this.room, this.#options.clock, this.#options.log);
  }
}
