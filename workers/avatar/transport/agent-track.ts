/*
 * The voice of an agent that publishes it as a plain audio track and sends no streams. At most one track is used:
 *   none       the agent publishes no voice                     -> asked for when it does
 *   asked for  subscribed to; not there yet, or muted           -> heard when there is a track that is not muted
 *   heard      its sound goes to the listener                   -> asked for soon after it was muted, none when it or the agent is gone
 *   given up   the agent has sent a stream: never again, or whoever does both would be heard twice
 * Whatever happens in the room leads to `#look`, which compares what is with what should be.
 */
import {
  AudioStream,
  RoomEvent,
  TrackKind,
  TrackSource,
  type AudioFrame,
  type RemoteParticipant,
  type RemoteTrack,
  type RemoteTrackPublication,
  type Room,
} from '@livekit/rtc-node';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { AUDIO_RATE, type RoomListener } from './transport.ts';

/** The word of a mute overtakes the sound before it, which still lies in the jitter buffer. */
const MUTE_GRACE_MS = 300;
/** As a packet brings it. In halves of that a speaking session costs a tenth more. */
const BLOCK_MS = 20;
/** What LiveKit's agents name the track of their ambient sounds: nobody's voice. */
const AMBIENCE = 'background_audio';

type Parts = {
  room: Pick<Room, 'on' | 'remoteParticipants'>;
  clock: Clock;
  log: Log;
  listener: Pick<RoomListener, 'voice' | 'voiceOver'>;
  /** Replaced by tests that have no media server. */
  openSound?: (track: RemoteTrack) => ReadableStream<Pick<AudioFrame, 'data'>>;
};

export class AgentTrack {
  readonly #parts: Required<Parts>;
  #agent: string | null = null;
  #publication: RemoteTrackPublication | null = null;
  #track: RemoteTrack | null = null;
  #stopHearing: (() => void) | null = null;
  #cancelGrace: (() => void) | null = null;
  #isOver = false;

  constructor(parts: Parts) {
    this.#parts = { openSound, ...parts };
    for (const event of changes) parts.room.on(event, () => this.#look());
  }

  /** Before it is known who the agent is, nobody is heard. */
  follow(agent: string): void {
    if (agent === this.#agent) return;
    this.#agent = agent;
    this.#look();
  }

  giveUp(): void {
    this.#isOver = true;
    this.#look();
  }

  #look(): void {
    const voice = this.#isOver ? null : voiceOf(this.#participant());
    if (voice !== this.#publication) {
      this.#leave();
      this.#publication = voice;
      voice?.setSubscribed(true);
    }
    const track = voice?.track ?? null;
    if (track !== this.#track) {
      this.#dropTrack();
      this.#track = track;
    }
    if (track) this.#hearOrNot(track, voice!.muted ?? false);
  }

  #hearOrNot(track: RemoteTrack, isMuted: boolean): void {
    if (!isMuted) {
      this.#cancelGrace?.();
      this.#cancelGrace = null;
      if (!this.#stopHearing) void this.#hear(track);
    } else if (this.#stopHearing) {
      this.#cancelGrace ??= this.#parts.clock.after(MUTE_GRACE_MS, () => this.#hush());
    }
  }

  async #hear(track: RemoteTrack): Promise<void> {
    const { openSound, listener, log } = this.#parts;
    let isStopped = false;
    try {
      // Fails for a track that has left while the word of it was on its way.
      const reader = openSound(track).getReader();
      this.#stopHearing = () => {
        isStopped = true;
        void reader.cancel();
      };
      log.info('the agent is heard by its track');
      for (;;) {
        const { done, value } = await reader.read();
        if (done || isStopped) return;
        listener.voice(value.data);
      }
    } catch (error) {
      log.error({ err: error }, 'the agent cannot be heard by its track');
    }
  }

  #hush(): void {
    this.#cancelGrace?.();
    this.#cancelGrace = null;
    if (!this.#stopHearing) return;
    this.#stopHearing();
    this.#stopHearing = null;
    this.#parts.listener.voiceOver();
  }

  #dropTrack(): void {
    this.#hush();
    void this.#track?.close();
    this.#track = null;
  }

  #leave(): void {
    this.#dropTrack();
    const left = this.#publication;
    this.#publication = null;
    // One that is gone cannot be asked for anything.
    const isHere = left?.sid && this.#participant()?.trackPublications.get(left.sid) === left;
    if (isHere) left.setSubscribed(false);
  }

  #participant(): RemoteParticipant | undefined {
    return this.#agent === null ? undefined : this.#parts.room.remoteParticipants.get(this.#agent);
  }
}

const changes = [
  RoomEvent.ParticipantConnected,
  RoomEvent.ParticipantDisconnected,
  RoomEvent.TrackPublished,
  RoomEvent.TrackUnpublished,
  RoomEvent.TrackSubscribed,
  RoomEvent.TrackUnsubscribed,
  RoomEvent.TrackMuted,
  RoomEvent.TrackUnmuted,
  RoomEvent.Reconnected,
] as const;

/**
 * Of several tracks the first microphone that is not muted, else the first microphone. An agent that names no source for what it publishes
 * means its voice, if it has no microphone.
 */
function voiceOf(agent: RemoteParticipant | undefined): RemoteTrackPublication | null {
  const sounds = [...(agent?.trackPublications.values() ?? [])].filter(
    ({ kind }) => kind === TrackKind.KIND_AUDIO,
  );
  const microphones = sounds.filter(({ source }) => source === TrackSource.SOURCE_MICROPHONE);
  const others = sounds.filter(
    ({ source, name }) => source === TrackSource.SOURCE_UNKNOWN && name !== AMBIENCE,
  );
  const voices = microphones.length > 0 ? microphones : others;
  return voices.find(({ muted }) => !muted) ?? voices[0] ?? null;
}

const openSound = (track: RemoteTrack): ReadableStream<AudioFrame> =>
  new AudioStream(track, { sampleRate: AUDIO_RATE, numChannels: 1, frameSizeMs: BLOCK_MS });
