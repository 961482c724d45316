import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import {
  checkClientRecord,
  type CaptionHeader,
  type PlaybackHeader,
  type PresenceHeader,
} from '#protocol/botroom/headers.ts';
import { RecordError, type MediaRecord } from '#protocol/botroom/records.ts';
import type { DialMediaSocket } from '../../../runtime/media-socket.ts';
import type { SpeechLink, SpeechListener } from '../speech-link.ts';
import type { PlaybackFinished } from '../transport.ts';
import { Captions } from './captions.ts';
import { ClientSpeech } from './client-speech.ts';
import { RelayConnection, type RelayAddress } from './relay-connection.ts';
import { UserVoice } from './user-voice.ts';

export type BotroomSpeechParts = {
  address: RelayAddress;
  dial: DialMediaSocket;
  clock: Clock;
  log: Log;
  onOpen?: () => void;
  /** Whether the client is `plain`, see `PresenceHeader`. */
  onPlain?: (isPlain: boolean) => void;
  random?: () => number;
};

/**
 * The client of a botroom as a source of speech. Its optional records go to the relay in any case,
 * which passes on those that the client wants. Owns the connection to the relay.
 */
export class BotroomSpeech implements SpeechLink {
  readonly connection: RelayConnection;
  readonly #parts: BotroomSpeechParts;
  readonly #captions: Captions;
  readonly #closedByClient = Promise.withResolvers<EndReason>();
  /** The avatar's participant in a room elsewhere. */
  #identity: string | null = null;
  /** Reports that the relay missed while it was away: the client may wait for them. */
  #untold: PlaybackHeader[] = [];
  #listener: SpeechListener | null = null;
  #speech: ClientSpeech | null = null;
  #user: UserVoice | null = null;
  #isReleased = false;

  constructor(parts: BotroomSpeechParts) {
    this.#parts = parts;
    this.connection = new RelayConnection({
      ...parts,
      onRecord: (record) => this.#receive(record),
      onOpen: () => this.#opened(),
    });
    this.#captions = new Captions(parts.clock, (text) =>
      this.connection.send('caption', { text } satisfies CaptionHeader),
    );
  }

  get ended(): Promise<EndReason> {
    return Promise.race([this.connection.ended, this.#closedByClient.promise]);
  }

  open(listener: SpeechListener): Promise<void> {
    const { clock } = this.#parts;
    this.#listener = listener;
    this.#speech = new ClientSpeech(clock, listener);
    this.#user = new UserVoice(clock, (isSpeaking) => listener.listens(isSpeaking));
    return this.connection.open();
  }

  /** The client learns the participant, and that no picture will come. */
  shown(identity: string): void {
    this.#identity = identity;
    this.#tellReady();
  }

  playbackStarted(): void {
    this.#tell({ event: 'started' });
    this.#captions.started();
  }

  playbackFinished(event: PlaybackFinished): void {
    this.#captions.finished(event.interrupted);
    this.tellFinished(event);
  }

  /** The relay holds further speech for the successor. */
  released(): void {
    this.#isReleased = true;
    this.connection.send('released');
  }

  /** Reports an utterance that an earlier worker received. */
  tellFinished({ positionSeconds, interrupted }: PlaybackFinished): void {
    const position_ms = Math.round(positionSeconds * 1000);
    this.#tell({ event: 'finished', position_ms, interrupted });
  }

  async close(): Promise<void> {
    this.#speech?.close();
    this.#user?.close();
    this.#captions.close();
    this.connection.close();
  }

  #opened(): void {
    // A relay that was started again does not know that its client is ready.
    this.#tellReady();
    for (const header of this.#untold.splice(0)) this.#tell(header);
    if (this.#isReleased) this.connection.send('released');
    this.#parts.onOpen?.();
  }

  #tellReady(): void {
    if (this.#identity !== null) this.connection.send('ready', { participant: this.#identity });
  }

  #tell(header: PlaybackHeader): void {
    if (this.connection.isOpen) this.connection.send('playback', header);
    else this.#untold.push(header);
  }

  #receive(record: MediaRecord): void {
    if (record.type === 'presence') {
      const { client, plain = false } = record.header as PresenceHeader;
      this.#parts.onPlain?.(plain);
      return this.#listener?.present(client);
    }
    try {
      checkClientRecord(record);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      return this.#parts.log.warn({ err: error }, 'invalid record of the client');
    }
    switch (record.type) {
      case 'audio':
        return this.#speech?.audio(record);
      case 'flush':
        return this.#speech?.flush();
      case 'interrupt':
        return this.#speech?.interrupt();
      case 'listen':
        return this.#user?.hear(record.blob);
      case 'caption':
        return this.#captions.add((record.header as CaptionHeader).text, this.#speech!.place);
      case 'close':
        return this.#closedByClient.resolve('ended_by_client');
      case 'hello':
    }
  }
}
