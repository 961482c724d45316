import { randomUUID } from 'node:crypto';
import { customAlphabet, nanoid } from 'nanoid';

const alphanumeric = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A record's id: UUID-shaped, as the interface wants. */
export const newRecordId = (): string => randomUUID();

/** Names that only need to be unique: rooms, workers, reports. */
export const newName = (prefix: string): string => `${prefix}-${nanoid(12)}`;

/** A secret of `length` letters and digits (5.95 bits each), safe in headers, URLs and shells. */
export const newSecret = (length = 40): string => customAlphabet(alphanumeric, length)();
