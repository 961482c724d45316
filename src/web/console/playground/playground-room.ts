/*
 * The visitor's seat in a room: joins it, shows its face, and keeps what the page shows. Owns and
 * closes the room.
 */
import {
  ConnectionError,
  ConnectionErrorReason,
  DisconnectReason,
  Room,
  RoomEvent,
  type RemoteParticipant,
} from 'livekit-client';
import { CHAT_TOPIC, TRANSCRIPTION_TOPIC } from '#protocol/room-terms.ts';
import { readTranscription, type Transcription } from '../../call/captions/transcriptions.ts';
import { TypedTexts } from '../../call/chat/typed-texts.ts';
import { OwnDevices } from '../../call/devices/own-devices.ts';
import { AvatarView, type MediaElements } from '../../call/picture/avatar-view.ts';
import { SoundLevel } from '../../call/sound/sound-level.ts';
import { withLine, type Device, type Line } from '../../call/state/call-state.ts';
import { advance, noLatency, type Latency, type LatencyEvent } from './latency.ts';
import { roundTripMs } from './round-trip.ts';
import { isAvatar, seatsOf, type Seat } from './seats.ts';

/** `rejected`: the token is not accepted. `elsewhere`: its identity joined twice. */
export type LeaveReason = 'unreachable' | 'rejected' | 'elsewhere' | 'closed' | 'lost';

export type RoomPhase =
  | { type: 'joining' }
  | { type: 'joined' }
  | { type: 'rejoining' }
  /** `detail`: the media server's words. */
  | { type: 'over'; reason: LeaveReason; detail: string };

export type RoomState = {
  phase: RoomPhase;
  seats: Seat[];
  /** When participants joined, by identity. */
  since: ReadonlyMap<string, number>;
  hasAgentLeft: boolean;
  lines: Line[];
  latency: Latency;
  isSeen: boolean;
  isSoundBlocked: boolean;
  microphone: Device;
  /** From the click. Null: no picture yet. */
  faceAfterMs: number | null;
  roundTripMs: number | null;
};

export const initialState: RoomState = {
  phase: { type: 'joining' },
  seats: [],
  since: new Map(),
  hasAgentLeft: false,
  lines: [],
  latency: noLatency,
  isSeen: false,
  isSoundBlocked: false,
  microphone: { isOn: false, problem: null },
  faceAfterMs: null,
  roundTripMs: null,
};

const SOUND_EVERY_MS = 50;
/** Louder than comfort noise. */
const SOUND_LEVEL = 0.03;
/** Pauses between words are shorter. */
const SILENCE_MS = 600;
const ROUND_TRIP_EVERY_MS = 2_000;

export class PlaygroundRoom {
  readonly #room = new Room({ dynacast: true });
  readonly #level = new SoundLevel();
  readonly #view: AvatarView;
  readonly #devices: OwnDevices;
  readonly #texts = new TypedTexts((line) => this.#onLine(line));
  readonly #onChange: (state: RoomState) => void;
  readonly #timers: ReturnType<typeof setInterval>[] = [];
  readonly #beganAt = performance.now();
  #heardAt = 0;
  #isClosed = false;
  #state = initialState;

  constructor(elements: MediaElements, onChange: (state: RoomState) => void) {
    this.#onChange = onChange;
    const room = this.#room;
    this.#devices = new OwnDevices(room, (_kind, microphone) => this.#set({ microphone }));
    this.#view = new AvatarView({
      room,
      isAvatar: (participant) => this.#isHeard(participant),
      elements,
      level: this.#level,
      events: {
        onPicture: () => this.#onPicture(),
        onGone: () => this.#set({ isSeen: false }),
        onSoundBlocked: (isSoundBlocked) => this.#set({ isSoundBlocked }),
      },
    });
    this.#listen();
  }

  async join(url: string, token: string): Promise<void> {
    try {
      await this.#room.connect(url, token);
    } catch (error) {
      return this.#end(reasonOf(error), error instanceof Error ? error.message : String(error));
    }
    if (this.#isClosed) return;
    this.#timers.push(
      setInterval(() => this.#listenForSound(), SOUND_EVERY_MS),
      setInterval(() => void this.#measure(), ROUND_TRIP_EVERY_MS),
    );
    this.#set({ phase: { type: 'joined' } });
    this.#look();
  }

  say(text: string): void {
    this.#texts.add(text);
  }

  turnMicrophone(isOn: boolean): void {
    void this.#devices.turn('microphone', isOn);
  }

  /** Must be called from a click handler, or browsers block the audio. */
  allowSound(): void {
    void this.#view.allowSound();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearInterval(timer);
    this.#view.close();
    await Promise.all([this.#level.close(), this.#room.disconnect()]);
  }

  #listen(): void {
    const room = this.#room;
    for (const event of SEAT_EVENTS) room.on(event, () => this.#look());
    room.on(RoomEvent.Reconnecting, () => this.#set({ phase: { type: 'rejoining' } }));
    room.on(RoomEvent.Reconnected, () => this.#set({ phase: { type: 'joined' } }));
    room.on(RoomEvent.Disconnected, (reason) => {
      // A room that cannot be joined says so, too, and `join` knows more.
      const isOurs = reason === DisconnectReason.CLIENT_INITIATED;
      if (!isOurs && this.#state.phase.type !== 'joining') this.#end(ENDS[reason ?? -1] ?? 'lost');
    });
    room.registerTextStreamHandler(TRANSCRIPTION_TOPIC, (stream, { identity }) =>
      this.#read(stream, identity === room.localParticipant.identity ? 'user' : 'ai'),
    );
    room.registerTextStreamHandler(CHAT_TOPIC, (stream) => this.#read(stream, 'ai'));
  }

  #read(stream: Transcription, sender: Line['sender']): void {
    readTranscription(stream, sender, (line) => this.#onLine(line)).catch((error: unknown) =>
      console.warn('transcription interrupted', error),
    );
  }

  #onLine(line: Line): void {
    const { lines } = this.#state;
    const isKnown = lines.some(({ id }) => id === line.id);
    this.#set({ lines: withLine(lines, line) });
    const at = performance.now();
    if (line.sender === 'user' && line.isFinal) this.#time({ type: 'asked', at });
    if (line.sender === 'ai' && !isKnown) this.#time({ type: 'line', at });
  }

  /** The avatar, or an agent that has none. */
  #isHeard(participant: RemoteParticipant): boolean {
    if (isAvatar(participant)) return true;
    return ![...this.#room.remoteParticipants.values()].some(isAvatar);
  }

  #look(): void {
    const { since: before, seats: seatsBefore, hasAgentLeft } = this.#state;
    const seats = seatsOf(this.#room);
    const now = performance.now();
    const since = new Map(seats.map(({ identity }) => [identity, before.get(identity) ?? now]));
    const hasLeft = seatsBefore.some(
      ({ role, identity }) => role === 'agent' && !since.has(identity),
    );
    this.#set({ seats, since, hasAgentLeft: hasAgentLeft || hasLeft });
    // An agent that still starts would miss the text.
    const isRead = seats.some(({ role, state }) => role !== 'you' && state !== 'initializing');
    this.#texts.readBy(isRead ? (text) => this.#send(text) : null);
  }

  #send(text: string): Promise<unknown> {
    return this.#room.localParticipant.sendText(text, { topic: CHAT_TOPIC });
  }

  #onPicture(): void {
    const faceAfterMs = this.#state.faceAfterMs ?? performance.now() - this.#beganAt;
    this.#set({ isSeen: true, faceAfterMs });
  }

  #listenForSound(): void {
    const at = performance.now();
    const isLoud = this.#level.read() > SOUND_LEVEL;
    if (isLoud) this.#heardAt = at;
    const { isSounding } = this.#state.latency;
    if (isLoud && !isSounding) this.#time({ type: 'sound', at });
    if (isSounding && at - this.#heardAt > SILENCE_MS) this.#time({ type: 'silence' });
  }

  async #measure(): Promise<void> {
    this.#set({ roundTripMs: await roundTripMs(this.#room) });
  }

  #time(event: LatencyEvent): void {
    this.#set({ latency: advance(this.#state.latency, event) });
  }

  #end(reason: LeaveReason, detail = ''): void {
    this.#set({ phase: { type: 'over', reason, detail } });
    void this.close();
  }

  #set(change: Partial<RoomState>): void {
    if (this.#isClosed) return;
    this.#state = { ...this.#state, ...change };
    this.#onChange(this.#state);
  }
}

const SEAT_EVENTS = [
  RoomEvent.ParticipantConnected,
  RoomEvent.ParticipantDisconnected,
  RoomEvent.ParticipantAttributesChanged,
  RoomEvent.TrackPublished,
  RoomEvent.TrackUnpublished,
  RoomEvent.LocalTrackPublished,
  RoomEvent.LocalTrackUnpublished,
  RoomEvent.Reconnected,
] as const;

const ENDS: Record<number, LeaveReason> = {
  [DisconnectReason.DUPLICATE_IDENTITY]: 'elsewhere',
  [DisconnectReason.PARTICIPANT_REMOVED]: 'closed',
  [DisconnectReason.ROOM_DELETED]: 'closed',
  [DisconnectReason.ROOM_CLOSED]: 'closed',
};

const reasonOf = (error: unknown): LeaveReason =>
  error instanceof ConnectionError && error.reason === ConnectionErrorReason.NotAllowed
    ? 'rejected'
    : 'unreachable';
