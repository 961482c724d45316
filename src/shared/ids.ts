import { customAlphabet, nanoid } from 'nanoid';
import { v7 } from 'uuid';

const alphanumeric = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A record's id: UUID-shaped, as the interface wants, and later ones sort after earlier ones, so that indexes grow at their end. */
export const newRecordId = (): string => v7();

/** Names that only need to be unique: rooms, workers, reports. */
export const newName = (prefix: string): string => `${prefix}-${nanoid(12)}`;

/** A secret of `length` letters and digits (5.95 bits each), safe in headers, URLs and shells. */
export const newSecret = (length = 40): string => customAlphabet(alphanumeric, length)();
