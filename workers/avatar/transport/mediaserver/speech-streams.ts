import { RoomEvent, type ByteStreamReader, type Room } from '@livekit/rtc-node';
import type { SpeechFormat } from '#protocol/audio.ts';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { SPEECH_CHANNELS, SPEECH_RATE, SPEECH_TOPIC } from '#protocol/room-terms.ts';
import type { RoomListener } from '../transport.ts';

/** The format of most voices, for streams whose attributes name none. */
const USUAL_FORMAT: SpeechFormat = { sampleRate: 24_000, channels: 1 };
/** After a lost connection, a stream without a chunk for this long has lost its trailer. */
const LOST_TRAILER_MS = 10_000;

type Parts = {
  room: Pick<Room, 'on' | 'registerByteStreamHandler' | 'unregisterByteStreamHandler'>;
  listener: Pick<RoomListener, 'begin' | 'chunk' | 'end'>;
  isAgent: (identity: string) => boolean;
  /** A stream of the agent begins. */
  onBegun: () => void;
  clock: Clock;
  log: Log;
};

/**
 * The agent's streams of speech. Each ends with its trailer, however long the agent pauses in it.
 * Without one, it ends when the agent leaves, and after a lost connection, in which the trailer may
 * be lost too.
 */
export class SpeechStreams {
  readonly #parts: Parts;
  readonly #open = new Set<OpenStream>();
  #isAccepting = false;
  #hasAssumed = false;
  #cancelWait = () => {};

  constructor(parts: Parts) {
    const { room, isAgent } = parts;
    this.#parts = parts;
    room.on(RoomEvent.ParticipantDisconnected, (participant) => {
      if (participant && isAgent(participant.identity)) this.#endAll();
    });
    room.on(RoomEvent.Reconnected, () => this.#endSilent());
  }

  /** Ignored while accepting. */
  accept(): void {
    if (this.#isAccepting) return;
    this.#isAccepting = true;
    const { room, isAgent } = this.#parts;
    room.registerByteStreamHandler(SPEECH_TOPIC, (reader, { identity }) => {
      if (isAgent(identity)) void this.#read(reader);
      else void reader.close();
    });
  }

  refuse(): void {
    if (!this.#isAccepting) return;
    this.#isAccepting = false;
    this.#parts.room.unregisterByteStreamHandler(SPEECH_TOPIC);
  }

  async close(): Promise<void> {
    this.#cancelWait();
    for (const { reader } of this.#open) await reader.close();
  }

  async #read(reader: ByteStreamReader): Promise<void> {
    const { listener, onBegun, log } = this.#parts;
    const { streamId, attributes } = reader.info;
    const stream: OpenStream = { reader, streamId, chunks: 0 };
    this.#open.add(stream);
    onBegun();
    listener.begin(streamId, this.#formatOf(attributes ?? {}));
    try {
      for await (const chunk of reader) {
        stream.chunks += 1;
        listener.chunk(streamId, chunk);
      }
    } catch (error) {
      // The sender or the room is gone; what arrived is played.
      log.debug({ err: error }, 'speech stream broken off');
    } finally {
      this.#open.delete(stream);
      listener.end(streamId);
    }
  }

  #formatOf(attributes: Record<string, string>): SpeechFormat {
    const sampleRate = countIn(attributes[SPEECH_RATE]);
    const channels = countIn(attributes[SPEECH_CHANNELS]);
    if (sampleRate !== null && channels !== null) return { sampleRate, channels };
    const format = {
      sampleRate: sampleRate ?? USUAL_FORMAT.sampleRate,
      channels: channels ?? USUAL_FORMAT.channels,
    };
    if (!this.#hasAssumed)
      this.#parts.log.warn(
        format,
        `the speech does not state ${SPEECH_RATE} and ${SPEECH_CHANNELS}: format assumed`,
      );
    this.#hasAssumed = true;
    return format;
  }

  #endAll(): void {
    for (const { streamId } of this.#open) this.#parts.listener.end(streamId);
  }

  #endSilent(): void {
    const { clock, listener } = this.#parts;
    const chunksBefore = new Map(Array.from(this.#open, (stream) => [stream, stream.chunks]));
    this.#cancelWait();
    this.#cancelWait = clock.after(LOST_TRAILER_MS, () => {
      for (const [stream, chunks] of chunksBefore)
        if (stream.chunks === chunks) listener.end(stream.streamId);
    });
  }
}

type OpenStream = { reader: ByteStreamReader; streamId: string; chunks: number };

/** Null: absent, or not a number of something. */
function countIn(attribute: string | undefined): number | null {
  const count = Number(attribute);
  return Number.isInteger(count) && count > 0 ? count : null;
}
