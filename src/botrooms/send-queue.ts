import { UNREAD_OTHER_BYTES, UNREAD_RECORDS, UNREAD_SOUND_MS } from '#protocol/botroom/limits.ts';
import { pcmMs } from '#protocol/botroom/headers.ts';
import type { RecordName } from '#protocol/botroom/records.ts';
import { sizeOf, type RelayedRecord } from './client-codec.ts';

/** Bytes handed to the socket and not sent yet. Less waits there than in one picture or two. */
const WINDOW_BYTES = 64 * 1024;

type SendQueueParts = {
  write: (record: RelayedRecord) => (Uint8Array | string)[];
  /** Calls `onSent` once, also when the socket is closed. */
  send: (message: Uint8Array | string, onSent: () => void) => void;
  onPictureDropped: () => void;
  /** Called after something was sent. */
  onSent: () => void;
};

/**
 * Records on their way to one peer. A slow peer gets only the newest picture, but all sound. The
 * owner bounds what waits: it pushes no more when the queue is full.
 */
export class SendQueue {
  readonly #parts: SendQueueParts;
  /** In order, with at most one picture. */
  #waiting: RelayedRecord[] = [];
  #waitingSoundMs = 0;
  #waitingOtherBytes = 0;
  #sendingBytes = 0;
  #isClosed = false;
  picturesSent = 0;
  picturesDropped = 0;

  constructor(parts: SendQueueParts) {
    this.#parts = parts;
  }

  /** Bytes in memory for this peer. */
  get bytes(): number {
    return this.#waiting.reduce((sum, record) => sum + sizeOf(record), this.#sendingBytes);
  }

  push(record: RelayedRecord): void {
    if (this.#isClosed) return;
    if (record.type === 'video') this.#dropPicture();
    this.#waiting.push(record);
    this.#count(record, 1);
    this.#sendMore();
  }

  /** The peer left too much unread. */
  get isFull(): boolean {
    return (
      this.#waitingSoundMs > UNREAD_SOUND_MS ||
      this.#waitingOtherBytes > UNREAD_OTHER_BYTES ||
      this.#waiting.length > UNREAD_RECORDS
    );
  }

  /** Forgets what waits of these types. */
  drop(types: readonly RecordName[]): void {
    this.#waiting = this.#waiting.filter((record) => {
      const stays = !types.includes(record.type);
      if (!stays) this.#count(record, -1);
      return stays;
    });
  }

  /** Forgets what waits, and sends nothing more. */
  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
  }

  #sendMore(): void {
    while (this.#sendingBytes < WINDOW_BYTES) {
      const record = this.#waiting.shift();
      if (!record) return;
      this.#count(record, -1);
      if (record.type === 'video') this.picturesSent += 1;
      for (const message of this.#parts.write(record)) this.#send(message);
    }
  }

  #send(message: Uint8Array | string): void {
    const bytes = Buffer.byteLength(message);
    this.#sendingBytes += bytes;
    this.#parts.send(message, () => {
      this.#sendingBytes -= bytes;
      this.#sendMore();
      this.#parts.onSent();
    });
  }

  #dropPicture(): void {
    const at = this.#waiting.findIndex(({ type }) => type === 'video');
    if (at === -1) return;
    this.#waiting.splice(at, 1);
    this.picturesDropped += 1;
    this.#parts.onPictureDropped();
  }

  #count(record: RelayedRecord, sign: 1 | -1): void {
    if (isSound(record)) this.#waitingSoundMs += sign * pcmMs(record);
    else if (record.type !== 'video') this.#waitingOtherBytes += sign * sizeOf(record);
  }
}

const isSound = ({ type }: RelayedRecord): boolean => type === 'audio' || type === 'listen';
