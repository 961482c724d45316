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
import { AUDIO_RATE } from '#protocol/audio.ts';
import {
  advance,
  type ReadingEffect,
  type ReadingEvent,
  type ReadingState,
} from './track-reading.ts';
import type { RoomListener } from '../transport.ts';

/** The mute signal overtakes the audio before it, which is still in the jitter buffer. */
const MUTE_GRACE_MS = 300;
/**
 * The length of a packet. Blocks of half the length cost a speaking session a tenth more CPU time.
 */
const BLOCK_MS = 20;
/** The name that LiveKit's agents give to a track of ambient sound. */
const AMBIENCE = 'background_audio';

type Sound = Pick<AudioFrame, 'data'>;
type SoundReader = ReadableStreamDefaultReader<Sound>;
export type OpenSound = (track: RemoteTrack, sampleRate: number) => ReadableStream<Sound>;

type Parts = {
  room: Pick<Room, 'on' | 'remoteParticipants'>;
  clock: Clock;
  log: Log;
  listener: Pick<RoomListener, 'voice' | 'voiceEnded'>;
  /** Sample rate for the listener. Default: `AUDIO_RATE`. */
  sampleRate?: number;
  /** Replaced by tests that have no media server. */
  openSound?: OpenSound;
};

/**
 * Reads the voice of one participant: of an agent that publishes an audio track instead of sending
 * streams, or of a visitor. Uses at most one track: subscribed while the participant publishes a
 * voice, read while it is also not muted. Every room event calls `#update`, which compares the
 * actual state with the wanted one. Once an agent has sent a stream, its track is never used again:
 * an agent that does both would be heard twice.
 */
export class VoiceTrack {
  readonly #parts: Required<Parts>;
  #identity: string | null = null;
  #publication: RemoteTrackPublication | null = null;
  #track: RemoteTrack | null = null;
  #reading: ReadingState = 'idle';
  #stopReading = () => {};
  #cancelGrace = () => {};
  #isGivenUp = false;

  constructor(parts: Parts) {
    this.#parts = { sampleRate: AUDIO_RATE, openSound, ...parts };
    for (const event of voiceChanges) parts.room.on(event, () => this.#update());
  }

  /** Sets the participant's identity. With none, no track is used. */
  follow(identity: string | null): void {
    if (identity === this.#identity) return;
    this.#identity = identity;
    this.#update();
  }

  giveUp(): void {
    this.#isGivenUp = true;
    this.#update();
  }

  #update(): void {
    const voice = this.#isGivenUp ? null : voiceOf(this.#participant());
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
    if (track) this.#handle(voice!.muted ? 'muted' : 'unmuted');
  }

  #handle(event: ReadingEvent): void {
    const { state, effects } = advance(this.#reading, event);
    this.#reading = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: ReadingEffect): void {
    const { clock, listener } = this.#parts;
    switch (effect) {
      case 'open':
        return this.#open(this.#track!);
      case 'start_grace':
        this.#cancelGrace = clock.after(MUTE_GRACE_MS, () => this.#handle('stopped'));
        return;
      case 'cancel_grace':
        return this.#cancelGrace();
      case 'close':
        this.#stopReading();
        return listener.voiceEnded();
    }
  }

  #open(track: RemoteTrack): void {
    const { openSound, sampleRate, log } = this.#parts;
    const stop = new AbortController();
    try {
      // Fails if the track was removed before its event arrived.
      const reader = openSound(track, sampleRate).getReader();
      this.#stopReading = () => {
        stop.abort();
        void reader.cancel();
      };
      log.info({ sampleRate }, 'reading the voice of a participant');
      void this.#read(reader, stop.signal);
    } catch (error) {
      log.error({ err: error }, 'audio track not readable');
      this.#handle('failed');
    }
  }

  async #read(reader: SoundReader, stopped: AbortSignal): Promise<void> {
    const { listener, log } = this.#parts;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done || stopped.aborted) return;
        listener.voice(value.data);
      }
    } catch (error) {
      log.error({ err: error }, 'audio track not readable');
    }
  }

  #dropTrack(): void {
    this.#handle('stopped');
    void this.#track?.close();
    this.#track = null;
  }

  #leave(): void {
    this.#dropTrack();
    const publication = this.#publication;
    this.#publication = null;
    // The SDK fails to unsubscribe from a publication that is gone.
    const isHere =
      publication?.sid &&
      this.#participant()?.trackPublications.get(publication.sid) === publication;
    if (isHere) publication.setSubscribed(false);
  }

  #participant(): RemoteParticipant | undefined {
    if (this.#identity === null) return undefined;
    return this.#parts.room.remoteParticipants.get(this.#identity);
  }
}

export const voiceChanges = [
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
 * Prefers tracks that are not muted. Tracks of unknown source count as voices of a participant that
 * has no microphone track.
 */
export function voiceOf(participant: RemoteParticipant | undefined): RemoteTrackPublication | null {
  const sounds = [...(participant?.trackPublications.values() ?? [])].filter(
    ({ kind }) => kind === TrackKind.KIND_AUDIO,
  );
  const microphones = sounds.filter(({ source }) => source === TrackSource.SOURCE_MICROPHONE);
  const otherSounds = sounds.filter(
    ({ source, name }) => source === TrackSource.SOURCE_UNKNOWN && name !== AMBIENCE,
  );
  const voices = microphones.length > 0 ? microphones : otherSounds;
  return voices.find(({ muted }) => !muted) ?? voices[0] ?? null;
}

const openSound: OpenSound = (track, sampleRate) =>
  new AudioStream(track, { sampleRate, numChannels: 1, frameSizeMs: BLOCK_MS });
