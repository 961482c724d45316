/*
 * Limits of a botroom's sockets. The published client sends 25 records a second of 40 ms each, one
 * second ahead; these allow speech at four times real time in 10 ms records of 48 kHz stereo.
 */

/** Token buckets of a client: a burst, and what is added each second. */
export const CLIENT_RATES = {
  records: { burst: 4_000, perSecond: 1_000 },
  /** A minute of speech that was made in one piece, at 48 kHz mono. */
  bytes: { burst: 6 * 1024 * 1024, perSecond: 1024 * 1024 },
} as const;

/** Speech that waits for a worker. Beyond it, the client's socket is not read. */
export const HELD_SPEECH_MS = 30_000;
export const HELD_RECORDS = 4_000;
/** The same for records other than sound, in bytes. */
export const HELD_OTHER_BYTES = 256 * 1024;

/** Sound that a peer left unread. Beyond it, its socket closes with 4408. */
export const UNREAD_SOUND_MS = 10_000;
/** The same for records other than pictures and sound, in bytes. */
export const UNREAD_OTHER_BYTES = 256 * 1024;
/** The same for all records. */
export const UNREAD_RECORDS = 2_000;

/** Between two `statistics` records. */
export const STATISTICS_EVERY_MS = 5_000;
