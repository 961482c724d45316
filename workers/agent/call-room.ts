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
  CHAT_TOPIC,
  CLEAR_BUFFER,
  HEARS,
  HUSH,
  PLAYBACK_FINISHED,
  PLAYBACK_STARTED,
  RPC_OK,
  RPC_REJECT,
  SEES,
  SPEECH_CHANNELS,
  SPEECH_RATE as RATE_ATTRIBUTE,
  SPEECH_TOPIC,
  TEXT_IGNORED,
} from '#protocol/room-terms.ts';
import { newName } from '#shared/ids.ts';
import { endReasonOf, faultLevel } from '../runtime/disconnects.ts';
import { CONNECT_MS, leaveRoom } from '../runtime/leave-room.ts';
import { isExpired, outlives } from '../runtime/room-token.ts';
import {
  parsePlaybackFinished,
  type AvatarParticipant,
  type PlaybackFinished,
  type SpeechStream,
} from './speech/avatar-participant.ts';
import { MAX_STREAM_BYTES, TextInput } from './text-input.ts';
import type { TextBudget } from './text-limits.ts';

/** A replaced avatar is visible again within this time. Otherwise something else interrupted it. */
const REPLACED_MS = 20_000;
/** Largest chunk of a byte stream. */
const MAX_CHUNK_BYTES = 15_000;

export type CallRoomListener = {
  /** Called on joining and on every change. */
  user(isPresent: boolean): void;
  /** The user typed this. May come before the room says that the user is present. */
  typed(text: string): void;
  renewed(token: string): void;
  playbackStarted(): void;
  playbackFinished(finished: PlaybackFinished): void;
};

/** The room of a call, as a conversation uses it. */
export interface CallRoom {
  /** Resolves when the agent leaves the room other than by `close`. */
  readonly ended: Promise<EndReason>;
  readonly avatar: AvatarParticipant;
  /** For the framework; absent in tests. */
  readonly sdkRoom?: Room;
  /** Rejects with a `RoomClosed`. */
  join(listener: CallRoomListener): Promise<void>;
  /** Whether the agent understands speech. */
  readonly hears: boolean;
  /** It understands speech from now on. */
  hear(): void;
  /**
   * Announces that the agent listens, whether it understands speech and sees, and its epoch.
   * Resolves when the room shows it; stays pending otherwise.
   */
  tellReady(epoch: number): Promise<void>;
  close(): Promise<void>;
}

/** The room refused the agent. */
export class RoomClosed extends Error {
  override readonly name = 'RoomClosed';
  readonly reason: EndReason;

  constructor(reason: EndReason, options?: ErrorOptions) {
    super(`room refused: ${reason}`, options);
    this.reason = reason;
  }
}

type CallRoomOptions = {
  url: string;
  token: string;
  userIdentity: string;
  avatarIdentity: string;
  texts: {
    /** Texts of the user that an earlier worker accepted. */
    earlierTexts: number;
    budget: TextBudget;
  };
  abilities: {
    /** Whether to subscribe to the user's microphone, from the beginning. */
    hears: boolean;
    /** Whether the agent looks at the user's camera. */
    sees: boolean;
  };
  clock: Clock;
  log: Log;
};

/** A call's room on a LiveKit media server. */
export class MediaServerRoom implements CallRoom {
  readonly sdkRoom = new Room();
  readonly avatar: AvatarParticipant;
  readonly #options: CallRoomOptions;
  readonly #ended = Promise.withResolvers<EndReason>();
  readonly #closed = new AbortController();
  #token: string;
  #hears: boolean;
  #connecting: Promise<void> | null = null;
  #closing: Promise<void> | null = null;
  #texts: TextInput | null = null;

  constructor(options: CallRoomOptions) {
    this.#options = options;
    this.#token = options.token;
    this.#hears = options.abilities.hears;
    this.avatar = {
      whenVisible: (isReplacement) => this.#avatarVisible(isReplacement),
      openStream: (sampleRate) => this.#openStream(sampleRate),
      clear: () => this.#clear(),
    };
  }

  get ended(): Promise<EndReason> {
    return this.#ended.promise;
  }

  async join(listener: CallRoomListener): Promise<void> {
    const { url, token, clock } = this.#options;
    this.#listen(listener);
    this.#connecting = this.sdkRoom.connect(url, token, {
      // Subscribe by name, because the agent needs no video.
      autoSubscribe: false,
      dynacast: false,
      dataStream: { maxPayloadByteLength: MAX_STREAM_BYTES },
    });
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
    this.#answerAvatar(listener);
    this.#subscribeAll();
    this.#tellUser(listener);
  }

  get hears(): boolean {
    return this.#hears;
  }

  hear(): void {
    this.#hears = true;
    this.#subscribeAll();
    // It rejects only when the agent leaves the room.
    this.sdkRoom.localParticipant?.setAttributes({ [HEARS]: 'yes' }).catch(() => {});
  }

  /** The SDK (rtc-ffi-bindings 0.12.73) misses an early reply, so this waits for the attributes. */
  tellReady(epoch: number): Promise<void> {
    const { sdkRoom } = this;
    const local = sdkRoom.localParticipant!;
    return new Promise((resolve) => {
      const onChanged = (changed: Record<string, string>, { identity }: { identity: string }) => {
        if (identity !== local.identity || changed[AGENT_EPOCH] !== String(epoch)) return;
        sdkRoom.off(RoomEvent.ParticipantAttributesChanged, onChanged);
        resolve();
      };
      sdkRoom.on(RoomEvent.ParticipantAttributesChanged, onChanged);
      const attributes = {
        [HEARS]: this.#hears ? 'yes' : 'no',
        [SEES]: this.#options.abilities.sees ? 'yes' : 'no',
        [AGENT_EPOCH]: String(epoch),
        // The framework publishes only changes, and does not consider this one.
        [AGENT_STATE]: AGENT_LISTENING,
      };
      // It rejects only when the agent leaves the room.
      local.setAttributes(attributes).catch(() => {});
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #listen(listener: CallRoomListener): void {
    const { sdkRoom } = this;
    // Before connecting: a user already in the room may be typing.
    const texts = new TextInput({
      ...this.#options,
      ...this.#options.texts,
      onText: (text) => listener.typed(text),
      onIgnored: (why) => this.#signal(TEXT_IGNORED, why),
    });
    this.#texts = texts;
    sdkRoom.registerTextStreamHandler(CHAT_TOPIC, (stream, { identity }) =>
      texts.receive(stream, identity),
    );
    sdkRoom.on(RoomEvent.ParticipantConnected, () => this.#tellUser(listener));
    sdkRoom.on(RoomEvent.ParticipantDisconnected, () => this.#tellUser(listener));
    sdkRoom.on(RoomEvent.TrackPublished, (publication, { identity }) =>
      this.#subscribe(publication, identity),
    );
    sdkRoom.on(RoomEvent.TokenRefreshed, () => {
      const { token } = sdkRoom;
      if (token === undefined || !outlives(token, this.#token)) return;
      this.#token = token;
      listener.renewed(token);
    });
    sdkRoom.on(RoomEvent.Disconnected, (reason) => {
      this.#closed.abort(new Error('left the room'));
      this.#ended.resolve(endReasonOf(reason));
    });
  }

  /**
   * Registered per room: all avatars have the same identity, and their RPCs must not reach another
   * conversation.
   */
  #answerAvatar(listener: CallRoomListener): void {
    const local = this.sdkRoom.localParticipant!;
    const { avatarIdentity } = this.#options;
    local.registerRpcMethod(PLAYBACK_STARTED, async ({ callerIdentity }) => {
      if (callerIdentity !== avatarIdentity) return RPC_REJECT;
      listener.playbackStarted();
      return RPC_OK;
    });
    local.registerRpcMethod(PLAYBACK_FINISHED, async ({ callerIdentity, payload }) => {
      const finished = parsePlaybackFinished(payload);
      if (callerIdentity !== avatarIdentity || !finished) return RPC_REJECT;
      listener.playbackFinished(finished);
      return RPC_OK;
    });
  }

  #tellUser(listener: CallRoomListener): void {
    listener.user(this.sdkRoom.remoteParticipants.has(this.#options.userIdentity));
  }

  #subscribeAll(): void {
    for (const { trackPublications, identity } of this.sdkRoom.remoteParticipants.values())
      for (const publication of trackPublications.values()) this.#subscribe(publication, identity);
  }

  #subscribe(publication: RemoteTrackPublication, identity: string): void {
    const isUser = identity === this.#options.userIdentity;
    if (this.#hears && isUser && publication.source === TrackSource.SOURCE_MICROPHONE)
      publication.setSubscribed(true);
  }

  #avatarVisible(isReplacement: boolean): Promise<void> {
    const { avatarIdentity, clock } = this.#options;
    const { signal } = this.#closed;
    const isVisible = () =>
      [
        ...(this.sdkRoom.remoteParticipants.get(avatarIdentity)?.trackPublications.values() ?? []),
      ].some(({ kind }) => kind === TrackKind.KIND_VIDEO);
    if (!isReplacement && isVisible()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const onPublished = (
        publication: RemoteTrackPublication,
        { identity }: { identity: string },
      ) =>
        identity === avatarIdentity && publication.kind === TrackKind.KIND_VIDEO && settle(resolve);
      const onClosed = () => settle(() => reject(signal.reason));
      // Only a wait for a replacement has a limit: a first avatar arrives, or the call ends.
      const cancel = isReplacement
        ? clock.after(REPLACED_MS, () => isVisible() && settle(resolve))
        : () => {};
      const settle = (how: () => void) => {
        cancel();
        this.sdkRoom.off(RoomEvent.TrackPublished, onPublished);
        signal.removeEventListener('abort', onClosed);
        how();
      };
      this.sdkRoom.on(RoomEvent.TrackPublished, onPublished);
      signal.addEventListener('abort', onClosed, { once: true });
      if (signal.aborted) onClosed();
    });
  }

  async #openStream(sampleRate: number): Promise<SpeechStream> {
    const writer = await this.sdkRoom.localParticipant!.streamBytes({
      name: newName('AUDIO'),
      topic: SPEECH_TOPIC,
      destinationIdentities: [this.#options.avatarIdentity],
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
    this.#signal(HUSH);
    await this.sdkRoom.localParticipant!.performRpc({
      destinationIdentity: this.#options.avatarIdentity,
      method: CLEAR_BUFFER,
      payload: '',
    });
  }

  /** Sends the user's page a signal that the call can do without. */
  #signal(topic: string, payload = ''): void {
    const { userIdentity, log } = this.#options;
    this.sdkRoom.localParticipant
      ?.publishData(new TextEncoder().encode(payload), {
        reliable: true,
        topic,
        destination_identities: [userIdentity],
      })
      .catch((error: unknown) =>
        log[faultLevel(error)]({ err: error, topic }, 'signal to the user failed'),
      );
  }

  async #close(): Promise<void> {
    this.#closed.abort(new Error('left the room'));
    const { clock, log } = this.#options;
    this.sdkRoom.unregisterTextStreamHandler(CHAT_TOPIC);
    await this.#texts?.close();
    await leaveRoom({ room: this.sdkRoom, connecting: this.#connecting, clock, log });
  }
}
