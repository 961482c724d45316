/*
 * Records of a botroom's socket. Compatible with `protoface.pipecat.media.v1`: types up to 0x1f are
 * that protocol's; the others are ours, and are sent only to peers that announced them.
 *
 * A binary message holds one record: u32 length of the rest, u8 type, u32 length of the header,
 * JSON header, blob. Numbers are big-endian. Pages use this file, too.
 */

/** Subprotocol of the socket. The client offers it first and its token second. */
export const BOTROOM_PROTOCOL = 'protoface.pipecat.media.v1';

export const RECORD = {
  /** PCM. From the client: speech for the avatar. To the client: the same speech, when played. */
  audio: 0x01,
  /** From the client: the utterance is complete. */
  flush: 0x02,
  /** From the client: drop all speech. */
  interrupt: 0x03,
  /** From the client: PCM of the user. */
  listen: 0x04,
  /** From the client: end the session. */
  close: 0x05,
  /** To the client: the avatar is in the room. */
  ready: 0x10,
  /** To the client: one picture. */
  video: 0x11,
  /** To the client: why the socket closes, unless the client asked for it. */
  error: 0x13,
  /** From the client: the optional records that it understands. */
  hello: 0x20,
  /** To the client: an utterance began or ended at the listener. */
  playback: 0x21,
  /**
   * From the client: text of the speech that follows. To the client: the same, when it is played.
   */
  caption: 0x22,
  /** To the client, every five seconds: pictures sent and dropped. */
  statistics: 0x23,
  /** Between control plane and worker only: whether the client is connected. */
  presence: 0x40,
  /** Between control plane and worker only: this worker leaves further speech to its successor. */
  released: 0x41,
} as const;

export type RecordName = keyof typeof RECORD;

export type MediaRecord = {
  type: RecordName;
  header: Record<string, unknown>;
  blob: Uint8Array;
};

/** A message is not a record. The text says what is wrong, for the peer. */
export class RecordError extends Error {
  override readonly name = 'RecordError';
}

/** Longest message: two seconds of 48 kHz stereo, or one picture as rgb24. */
export const MAX_RECORD_BYTES = 1024 * 1024;
const MAX_HEADER_BYTES = 4 * 1024;
const PREFIX_BYTES = 9;

const names = new Map<number, RecordName>(
  (Object.keys(RECORD) as RecordName[]).map((name) => [RECORD[name], name]),
);
const noHeader = new Uint8Array();
const utf8Of = new TextEncoder();

export function writeRecord(
  type: RecordName,
  header?: Record<string, unknown>,
  blob?: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const json = header ? utf8Of.encode(JSON.stringify(header)) : noHeader;
  const bytes = new Uint8Array(PREFIX_BYTES + json.length + (blob?.length ?? 0));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, bytes.length - 4);
  view.setUint8(4, RECORD[type]);
  view.setUint32(5, json.length);
  bytes.set(json, PREFIX_BYTES);
  if (blob) bytes.set(blob, PREFIX_BYTES + json.length);
  return bytes;
}

/** The blob is a view of `message`. Throws a RecordError. */
export function readRecord(message: Uint8Array): MediaRecord {
  if (message.length > MAX_RECORD_BYTES) throw new RecordError('The record is too long.');
  if (message.length < PREFIX_BYTES) throw new RecordError('The record is too short.');
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  if (view.getUint32(0) !== message.length - 4)
    throw new RecordError('The length of the record does not match the message.');
  const type = names.get(view.getUint8(4));
  if (!type) throw new RecordError('The type of the record is unknown.');
  const headerBytes = view.getUint32(5);
  if (headerBytes > MAX_HEADER_BYTES) throw new RecordError('The header is too long.');
  const blobAt = PREFIX_BYTES + headerBytes;
  if (blobAt > message.length) throw new RecordError('The header is longer than the record.');
  const header = headerBytes === 0 ? {} : readHeader(message.subarray(PREFIX_BYTES, blobAt));
  return { type, header, blob: message.subarray(blobAt) };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readHeader(bytes: Uint8Array): Record<string, unknown> {
  let header: unknown;
  try {
    header = JSON.parse(utf8.decode(bytes));
  } catch {
    // Without the cause, which quotes the text.
    throw new RecordError('The header is not JSON.');
  }
  if (typeof header !== 'object' || header === null || Array.isArray(header))
    throw new RecordError('The header is not a JSON object.');
  return header as Record<string, unknown>;
}
