/*
 * One call from Join to its end: requests it, waits for a free avatar, joins its room, and returns
 * to it after a reload or a lost connection. Owns and closes the room. When the face or the
 * connection is missing, it asks the service whether the call has ended.
 */
import {
  ConnectionState,
  DisconnectReason,
  ParticipantKind,
  Room,
  RoomEvent as MediaEvent,
  type RemoteParticipant,
  type TrackPublishOptions,
} from 'livekit-client';
import { Refusal } from '../../api/answers.ts';
import { AgentPresence } from './agent-presence.ts';
import { AvatarView, type MediaElements } from '../picture/avatar-view.ts';
import { screenOf } from '../picture/picture-fit.ts';
import type { ChatService, CallCredentials } from './chat-service.ts';
import { ignoreReasonOf } from '../chat/ignore-reason.ts';
import { openWhenFree } from './open-when-free.ts';
import { useChosenDevices } from '../devices/chosen-devices.ts';
import { OwnDevices } from '../devices/own-devices.ts';
import type { JoinRequest } from './join-request.ts';
import { pause } from './pause.ts';
import { refusalOf } from '../texts/refusals.ts';
import type { Activity, DeviceKind, CallEvent } from '../state/call-state.ts';
import {
  AGENT_STATE,
  CHAT_TOPIC,
  CURRENT_LINE,
  FACE,
  HEARS,
  HUSH,
  RPC_OK,
  SEES,
  TEXT_IGNORED,
  TRANSCRIPTION_TOPIC,
} from '#protocol/room-terms.ts';
import type { Saved, SavedCall } from './saved-call.ts';
import { SoundLevel } from '../sound/sound-level.ts';
import { readTranscription } from '../captions/transcriptions.ts';
import { TypedTexts } from '../chat/typed-texts.ts';

/** Slightly longer than the service waits for a user who left. */
const BACK_WITHIN_MS = 75_000;
const ASK_EVERY_MS = 2_000;

/** An agent that looks gets single pictures. More would only cost the machines on the way. */
const FOR_PICTURES: TrackPublishOptions = {
  simulcast: false,
  videoEncoding: { maxBitrate: 500_000, maxFramerate: 5 },
  degradationPreference: 'maintain-resolution',
};

type Parts = {
  chat: ChatService;
  saved: SavedCall;
  elements: MediaElements;
  /** Whether the agent looks at the camera. */
  sees: boolean;
  /** Texts that the visitor typed, some before this call was live. */
  texts: TypedTexts;
  dispatch: (event: CallEvent) => void;
};

export class LiveCall {
  readonly room = new Room({ dynacast: true });
  readonly #chat: ChatService;
  readonly #saved: SavedCall;
  readonly #dispatch: (event: CallEvent) => void;
  readonly #level = new SoundLevel();
  readonly #view: AvatarView;
  readonly #video: HTMLVideoElement;
  readonly #devices: OwnDevices;
  /** Whether the agent usually looks at the camera. */
  readonly #sees: boolean;
  readonly #over = new AbortController();
  #call: CallCredentials | null = null;
  readonly #agent = new AgentPresence();
  #isAsking = false;
  readonly #texts: TypedTexts;

  constructor({ chat, saved, elements, sees, texts, dispatch }: Parts) {
    this.#chat = chat;
    this.#saved = saved;
    this.#texts = texts;
    this.#sees = sees;
    this.#video = elements.video;
    this.#dispatch = (event) => {
      if (!this.#isOver) dispatch(event);
    };
    this.#devices = new OwnDevices(
      this.room,
      (kind, device) => this.#dispatch({ type: 'device', kind, device }),
      sees ? FOR_PICTURES : undefined,
    );
    const look = () => this.#look();
    this.#view = new AvatarView({
      room: this.room,
      isAvatar: ({ identity }) => identity === FACE,
      elements,
      level: this.#level,
      events: {
        onPicture: look,
        onGone: look,
        onSoundBlocked: (isBlocked) => this.#dispatch({ type: 'sound_blocked', isBlocked }),
      },
    });
    this.#listen();
  }

  get #isOver(): boolean {
    return this.#over.signal.aborted;
  }

  async join({ userName, microphone, camera }: JoinRequest): Promise<void> {
    this.#devices.want('microphone', microphone);
    this.#devices.want('camera', camera);
    this.#dispatch({ type: 'joins' });
    try {
      const call = await openWhenFree(this.#chat, userName, {
        screen: screenOf(this.#video.getBoundingClientRect()),
        ticket: this.#saved.readPlace()?.ticket ?? null,
        onBusy: ({ ticket, ...busy }) => {
          if (ticket !== null) this.#saved.writePlace({ userName, microphone, ticket });
          this.#dispatch({ type: 'busy', ...busy });
        },
        signal: this.#over.signal,
      });
      this.#saved.forgetPlace();
      // Cancelled in the meantime: end the call, so that no avatar waits in its room.
      if (this.#isOver) return await this.#chat.leave(call);
      this.#call = call;
      this.#saved.write({ call, microphone });
      this.#dispatch({ type: 'opened' });
      await this.#enter(call.url, call.token);
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** Returns to a call of this tab. */
  async comeBack({ call, microphone }: Saved): Promise<void> {
    this.#call = call;
    this.#devices.want('microphone', microphone);
    this.#dispatch({ type: 'returns', lines: [] });
    await this.#return();
  }

  async #enter(url: string, token: string): Promise<void> {
    await Promise.all([useChosenDevices(this.room), this.room.connect(url, token)]);
    if (this.#isOver) return;
    this.#dispatch({ type: 'joined' });
    for (const participant of this.room.remoteParticipants.values()) this.#meet(participant);
    for (const kind of this.#devices.wanted) void this.turn(kind, true);
    this.#look();
  }

  async turn(kind: DeviceKind, isOn: boolean): Promise<void> {
    this.#devices.want(kind, isOn);
    const microphone = this.#devices.wants('microphone');
    if (this.#call) this.#saved.write({ call: this.#call, microphone });
    await this.#devices.turn(kind, isOn);
  }

  /** Must be called from a click handler, or browsers block the audio. */
  async allowSound(): Promise<void> {
    await this.#view.allowSound();
  }

  /** Ends the call. */
  async leave(): Promise<void> {
    const call = this.#call;
    if (!call) {
      this.#saved.forgetPlace();
      this.#dispatch({ type: 'given_up' });
      return this.close();
    }
    this.#call = null;
    this.#saved.forget();
    // Disconnect before the service closes the room, or the client reports an error.
    await this.room.disconnect();
    await this.#chat
      .leave(call)
      .catch((error: unknown) => console.warn('could not end the call', error));
    const status = await this.#chat.call(call).catch(() => null);
    this.#dispatch({ type: 'over', reason: 'left', lines: status?.lines ?? null, call });
    await this.close();
  }

  /** Closes without an event. The service keeps the call open for a while. */
  async close(): Promise<void> {
    this.#over.abort();
    this.#texts.readBy(null);
    void this.#level.close();
    this.#view.close();
    await this.room.disconnect();
  }

  #listen(): void {
    const { room } = this;
    room.on(MediaEvent.ParticipantConnected, (participant) => this.#meet(participant));
    room.on(MediaEvent.ParticipantAttributesChanged, (_changed, participant) => {
      if (participant !== room.localParticipant) this.#meet(participant as RemoteParticipant);
    });
    room.on(MediaEvent.DataReceived, (data, participant, _kind, topic) => {
      if (!participant || !isAgent(participant)) return;
      if (topic === HUSH) this.#view.hush();
      if (topic === TEXT_IGNORED) this.#dispatch({ type: 'ignored', why: ignoreReasonOf(data) });
    });
    for (const event of PRESENCE_EVENTS) room.on(event, () => this.#look());
    room.on(MediaEvent.Disconnected, (reason) => {
      if (reason === DisconnectReason.DUPLICATE_IDENTITY) return void this.#yield();
      if (reason !== DisconnectReason.CLIENT_INITIATED && !this.#isOver) void this.#return();
    });
    for (const change of ['online', 'offline']) {
      window.addEventListener(change, () => this.#look(), { signal: this.#over.signal });
    }
    room.registerTextStreamHandler(TRANSCRIPTION_TOPIC, (stream, { identity }) => {
      const sender = identity === room.localParticipant.identity ? 'user' : 'ai';
      if (sender === 'ai') {
        this.#agent.heard(room.metadata);
        this.#look();
      }
      readTranscription(stream, sender, (line) => this.#dispatch({ type: 'line', line })).catch(
        (error: unknown) => console.warn('transcription interrupted', error),
      );
    });
  }

  #meet(participant: RemoteParticipant): void {
    if (!isAgent(participant)) return;
    this.#agent.met();
    const state = participant.attributes[AGENT_STATE];
    this.#dispatch({
      type: 'activity',
      activity: ACTIVITIES.find((each) => each === state) ?? null,
    });
    const hears = participant.attributes[HEARS];
    if (hears !== undefined) {
      this.#dispatch({ type: 'hears', hears: hears !== 'no' });
      // An active microphone would suggest that the agent listens.
      if (hears === 'no') void this.turn('microphone', false);
      // Agents of older workers say nothing, and see nothing.
      const sees = participant.attributes[SEES] === 'yes';
      this.#dispatch({ type: 'sees', sees });
      if (this.#sees && !sees) void this.turn('camera', false);
    }
    this.#look();
  }

  /** Reports presence, and polls the service while the agent or its face is missing. */
  #look(): void {
    if (this.#isOver || !this.#call) return;
    const { state, remoteParticipants } = this.room;
    // The browser notices that it is offline long before the room does.
    if (state !== ConnectionState.Connected || !navigator.onLine) {
      this.#texts.readBy(null);
      this.#dispatch({ type: 'presence', presence: 'rejoining' });
      return;
    }
    const { metadata } = this.room;
    const agents = [...remoteParticipants.values()]
      .filter(isAgent)
      .map(({ attributes }) => attributes);
    this.#texts.readBy(this.#agent.isListening(agents, metadata) ? this.#sendText : null);
    const isHere = this.#view.isSeen && this.#agent.isThere(agents, metadata);
    this.#dispatch({ type: 'presence', presence: isHere ? 'here' : 'away' });
    if (!isHere) void this.#askWhileAway(this.#call);
  }

  readonly #sendText = (text: string): Promise<unknown> =>
    this.room.localParticipant.sendText(text, { topic: CHAT_TOPIC });

  async #askWhileAway(call: CallCredentials): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const isAway = () =>
      !this.#isOver && this.room.state === ConnectionState.Connected && !this.#view.isSeen;
    while (isAway()) {
      await pause(ASK_EVERY_MS, this.#over.signal);
      // The service may be briefly unavailable, too.
      if (isAway()) await this.#tokenOf(call).catch(() => null);
    }
    this.#isAsking = false;
  }

  /** The tab was duplicated. If both reconnected, they would disconnect each other forever. */
  async #yield(): Promise<void> {
    this.#saved.forget();
    this.#dispatch({ type: 'over', reason: 'elsewhere', lines: null });
    await this.close();
  }

  /** Rejoins the call once the service and the media server are reachable. */
  async #return(): Promise<void> {
    const call = this.#call;
    if (!call) return;
    const lastAt = performance.now() + BACK_WITHIN_MS;
    while (!this.#isOver) {
      try {
        const token = await this.#tokenOf(call, true);
        if (token === null) return;
        await this.#enter(call.url, token);
        return void this.#catchUp(call);
      } catch (error) {
        const isGone = error instanceof Refusal && error.status < 500;
        if (isGone || performance.now() > lastAt) return this.#refuse(error);
        this.#dispatch({ type: 'presence', presence: 'rejoining' });
        await pause(ASK_EVERY_MS, this.#over.signal);
      }
    }
  }

  /** The stream of a line that is being said began before this page was in the room. */
  async #catchUp(call: CallCredentials): Promise<void> {
    const agent = [...this.room.remoteParticipants.values()].find(isAgent);
    if (!agent) return;
    try {
      const request = { destinationIdentity: agent.identity, method: CURRENT_LINE, payload: '' };
      if ((await this.room.localParticipant.performRpc(request)) === RPC_OK) return;
      // A line may have ended since the page asked for the transcript.
      const { lines } = await this.#chat.call(call);
      this.#dispatch({ type: 'kept', lines });
    } catch (error) {
      // An older agent knows no such request.
      console.warn('line so far not received', error);
    }
  }

  /** A token to join with. Null if the call is over, which is then shown. */
  async #tokenOf(call: CallCredentials, isReturn = false): Promise<string | null> {
    const { isOver, roomToken, endReason, lines } = await this.#chat.call(call);
    if (isOver) {
      this.#saved.forget();
      this.#dispatch({ type: 'over', reason: endReason ?? 'room_closed', lines, call });
      await this.close();
    } else if (isReturn) {
      this.#dispatch({ type: 'returns', lines });
    }
    // An older service renews no token.
    return isOver ? null : (roomToken ?? call.token);
  }

  #refuse(error: unknown): void {
    if (this.#isOver) return;
    console.warn('call refused', error);
    const { why, retryAfterSeconds } = refusalOf(error);
    // Otherwise each reload would retry the same call.
    if (error instanceof Refusal && error.status < 500) {
      this.#saved.forget();
      this.#saved.forgetPlace();
    }
    this.#dispatch({ type: 'refused', why, retryAfterSeconds });
    void this.close();
  }
}

const ACTIVITIES: readonly Activity[] = ['listening', 'thinking', 'speaking'];

const PRESENCE_EVENTS = [
  MediaEvent.ParticipantDisconnected,
  MediaEvent.RoomMetadataChanged,
  MediaEvent.Reconnecting,
  MediaEvent.SignalReconnecting,
  MediaEvent.Reconnected,
] as const;

/** The face is a separate participant of the kind agent. */
const isAgent = ({ kind, identity }: RemoteParticipant): boolean =>
  kind === ParticipantKind.AGENT && identity !== FACE;
