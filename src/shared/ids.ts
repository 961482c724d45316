import { randomBytes } from 'node:crypto';
import { customAlphabet, nanoid } from 'nanoid';
import { systemClock } from './clock.ts';

const alphanumeric = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A UUID version 7: ids of a process sort by creation, so indexes grow at their end. */
export const newRecordId = uuids(() => systemClock.now());

/** Starts low enough to count all ids of a millisecond. */
const COUNTER_START = 2 ** 25;
const COUNTER_LOW = 14;

/**
 * After RFC 9562, 6.2: a counter orders the ids of one millisecond, also when the clock goes back.
 */
export function uuids(now: () => number): () => string {
  let time = 0;
  let counter = 0;
  return () => {
    const bytes = randomBytes(16);
    const at = now();
    counter = at > time ? bytes.readUInt32BE(6) % COUNTER_START : counter + 1;
    time = Math.max(time, at);
    bytes.writeUIntBE(time, 0, 6);
    // The version is 7, and the variant 2.
    bytes.writeUInt16BE(0x7000 + (counter >>> COUNTER_LOW), 6);
    bytes.writeUInt16BE(0x8000 + (counter % 2 ** COUNTER_LOW), 8);
    return [
      [0, 4],
      [4, 6],
      [6, 8],
      [8, 10],
      [10, 16],
    ]
      .map(([from, to]) => bytes.toString('hex', from, to))
      .join('-');
  };
}

/** A unique name for a room, worker or report. */
export const newName = (prefix: string): string => `${prefix}-${nanoid(12)}`;

/** A secret of letters and digits (5.95 bits each), safe in headers, URLs and shells. */
export const newSecret = (length = 40): string => customAlphabet(alphanumeric, length)();
