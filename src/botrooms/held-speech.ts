import { pcmMs } from '#protocol/botroom/headers.ts';
import { HELD_OTHER_BYTES, HELD_RECORDS, HELD_SPEECH_MS } from '#protocol/botroom/limits.ts';
import { sizeOf, type RelayedRecord } from './client-codec.ts';

/** Records of the client that wait for a worker, in place of its leg. */
export class HeldSpeech {
  #records: RelayedRecord[] = [];
  #ms = 0;
  #otherBytes = 0;

  /** The next record would be too much. */
  get isFull(): boolean {
    return (
      this.#ms >= HELD_SPEECH_MS ||
      this.#otherBytes >= HELD_OTHER_BYTES ||
      this.#records.length >= HELD_RECORDS
    );
  }

  send(record: RelayedRecord): void {
    // The user's sound is of no use later.
    if (record.type === 'listen') return;
    if (record.type === 'interrupt' || record.type === 'close') this.take();
    this.#records.push(record);
    if (record.type === 'audio') this.#ms += pcmMs(record);
    else this.#otherBytes += sizeOf(record);
  }

  /** All records in order. Holds nothing afterwards. */
  take(): RelayedRecord[] {
    const records = this.#records;
    this.#records = [];
    this.#ms = 0;
    this.#otherBytes = 0;
    return records;
  }
}
