import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import { AUDIO_RATE, audioMs } from '#protocol/audio.ts';
import type { PcmHeader, VideoHeader } from '#protocol/botroom/headers.ts';
import type { DialMediaSocket } from '../../../runtime/media-socket.ts';
import { speechTo } from '../speech-link.ts';
import type { PlaybackFinished, RoomListener, Takeover, Transport } from '../transport.ts';
import { BotroomSpeech } from './botroom-speech.ts';
import { JpegEncoder } from './jpeg/jpeg-encoder.ts';
import { PacedSound } from './paced-sound.ts';
import { Pictures } from './pictures.ts';
import type { RelayAddress } from './relay-connection.ts';

const QUALITY = 80;
/** With more than this unsent, about six pictures, further ones are skipped. */
const MAX_UNSENT_BYTES = 160 * 1024;

/** Silence by which a plain client notices that the avatar has finished. Pipecat needs 350 ms. */
const END_SILENCE_MS = 480;

/** A plain client plays sound as it comes: a late piece would delay all that follows. */
const PLAIN_LEAD_MS = 200;
/**
 * Pipecat sends pictures on at once and collects sound, and so does the viewer's buffer. Chromium
 * takes half a minute to hold pictures as long as sound. With this, lips are some 30 ms early at
 * first and 20 ms late from then on.
 */
const PLAIN_AUDIO_DELAY_MS = 85;

const SAMPLES_PER_MS = AUDIO_RATE / 1000;

const SOUND: PcmHeader = { sample_rate: AUDIO_RATE, num_channels: 1 };

type BotroomOptions = {
  address: RelayAddress;
  video: { width: number; height: number };
  dial: DialMediaSocket;
  clock: Clock;
  log: Log;
  random?: () => number;
};

/**
 * A botroom: pictures and sound go to the client through a relay, and its speech comes back the
 * same way. Sound leaves when it begins to play, beside the picture of that moment. While the relay
 * is away, both are lost: they would only be late.
 */
export class BotroomTransport implements Transport {
  /** Clients may count on one size. Only what changes is encoded, so a still face costs little. */
  readonly showsSmaller = false;
  readonly #client: BotroomSpeech;
  readonly #pictures: Pictures;
  readonly #sound: PacedSound;
  /** Reports of an earlier worker's utterances, until the relay passes on what this one sends. */
  #owed: PlaybackFinished[] = [];
  /** See `PresenceHeader`. */
  #isClientPlain = false;
  /** Silence since the last speech. */
  #silentMs = 0;
  #isClosed = false;

  constructor({ address, video, dial, clock, log, random }: BotroomOptions) {
    const client = new BotroomSpeech({
      address,
      dial,
      clock,
      log,
      onOpen: () => this.#pictures.restart(),
      onPlain: (isPlain) => {
        this.#isClientPlain = isPlain;
        this.#pictures.sendsAll = isPlain;
      },
      ...(random && { random }),
    });
    this.#client = client;
    const { connection } = client;
    const encoder = new JpegEncoder({ ...video, quality: QUALITY });
    const header = { width: video.width, height: video.height, encoding: 'jpeg' } as const;
    this.#pictures = new Pictures({
      encode: (i420) => encoder.encode(i420),
      isBlocked: () => !connection.isOpen || connection.unsentBytes > MAX_UNSENT_BYTES,
      send: (jpeg, sinceMs) =>
        connection.send('video', { ...header, timestamp_ms: sinceMs } satisfies VideoHeader, jpeg),
    });
    this.#sound = new PacedSound(clock, (samples) =>
      connection.send('audio', SOUND, bytesOf(samples)),
    );
  }

  /** Other clients know their own delays: for them, sound leaves with the picture of its moment. */
  get audioDelayMs(): number {
    return this.#isClientPlain ? PLAIN_AUDIO_DELAY_MS : 0;
  }

  get startDelayMs(): number {
    return this.#sound.startDelayMs;
  }

  /** The client receives all sound. */
  readonly audible = Promise.resolve();

  get ended(): Promise<EndReason> {
    return this.#client.ended;
  }

  async join(listener: RoomListener, takeover?: Takeover): Promise<void> {
    const onPresent = (isHere: boolean) =>
      listener.present({ agentHere: isHere, participants: isHere ? 1 : 0 });
    await this.#client.open(speechTo(listener, onPresent));
    if (!takeover) return;
    this.#owed = takeover.unanswered;
    listener.answered();
  }

  async publish(): Promise<void> {
    this.#pictures.start();
    for (const event of this.#owed.splice(0)) this.#client.tellFinished(event);
  }

  playAudio(samples: Int16Array, onTaken: () => void): void {
    this.#silentMs = 0;
    this.#sound.leadMs = this.#isClientPlain ? PLAIN_LEAD_MS : 0;
    if (!this.#isClosed) this.#sound.play(samples, onTaken);
  }

  /** A plain client plays all sound in turn: without pauses it never makes up for a stall. */
  playSilence(samples: number): void {
    const ms = this.#isClientPlain ? END_SILENCE_MS - this.#silentMs : Infinity;
    if (this.#isClosed || ms <= 0) return;
    this.#silentMs += audioMs(samples);
    this.#sound.leadMs = 0;
    this.#sound.play(new Int16Array(Math.min(samples, ms * SAMPLES_PER_MS)), () => {});
  }

  clearAudio(): void {
    this.#sound.clear();
  }

  showFrame(i420: Uint8Array, atMs: number): void {
    if (!this.#isClosed) this.#pictures.show(i420, atMs);
  }

  playbackStarted(): void {
    this.#client.playbackStarted();
  }

  playbackFinished(event: PlaybackFinished): void {
    this.#client.playbackFinished(event);
  }

  released(): void {
    this.#client.released();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#sound.clear();
    await this.#client.close();
  }
}

const bytesOf = (samples: Int16Array): Uint8Array =>
  new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
