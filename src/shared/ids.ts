import { customAlphabet, nanoid } from 'nanoid';
import { v7 } from 'uuid';

const alphanumeric = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A UUID version 7: ids sort by creation time, so indexes grow at their end. */
export const newRecordId = (): string => v7();

/** A unique name for a room, worker or report. */
export const newName = (prefix: string): string => `${prefix}-${nanoid(12)}`;

/** A secret of letters and digits (5.95 bits each), safe in headers, URLs and shells. */
export const newSecret = (length = 40): string => customAlphabet(alphanumeric, length)();
