/*
 * Messages of Ojin's protocol, as its published client reads and writes them. Numbers are
 * big-endian.
 *
 *   speech in   u8 type, u64 time, u32 length of the parameters, JSON parameters, PCM
 *   frame out   u8 is last, 16 bytes interaction, u64 time, u32 usage, u32 index, u32 entries,
 *               entries, u8 kind; an entry is u32 length, u8 type, bytes
 *   all others  JSON: a type, and a payload
 */
import { RecordError } from '#protocol/botroom/records.ts';

const ENTRY = { audio: 1, image: 2 } as const;
const FRAME_KIND = { idle: 0, speech: 1, fading: 2, firstSpeech: 3 } as const;
export type FrameKind = keyof typeof FRAME_KIND;

export type Frame = {
  kind: FrameKind;
  /** Milliseconds since the epoch. */
  at: number;
  /** JPEG. */
  image?: Uint8Array | undefined;
  /** Mono PCM. */
  audio?: Uint8Array | undefined;
};

const INPUT_HEADER_BYTES = 13;
const PARAMETERS_LENGTH_AT = 9;
const FRAME_HEADER_BYTES = 37;
const ENTRY_HEADER_BYTES = 5;

/** The PCM in a binary message; null in one of another type. Throws a RecordError. */
export function readSpeech(message: Buffer): Uint8Array | null {
  if (message.length < INPUT_HEADER_BYTES) throw new RecordError('The message is too short.');
  const from = INPUT_HEADER_BYTES + message.readUInt32BE(PARAMETERS_LENGTH_AT);
  if (from > message.length) throw new RecordError('The parameters are longer than the message.');
  return message.readUInt8(0) === ENTRY.audio ? message.subarray(from) : null;
}

/** The type of a text message. Throws a RecordError. */
export function readType(message: Buffer): unknown {
  try {
    const { type } = JSON.parse(message.toString()) as { type?: unknown };
    return type;
  } catch {
    // Without the cause, which quotes the text.
    throw new RecordError('The message is not a JSON object.');
  }
}

/** `interaction`: a UUID. */
export function writeFrame(interaction: string, { kind, at, image, audio }: Frame): Uint8Array {
  const entries = [
    ...(image ? [{ type: ENTRY.image, bytes: image }] : []),
    ...(audio ? [{ type: ENTRY.audio, bytes: audio }] : []),
  ];
  const length = entries.reduce(
    (sum, { bytes }) => sum + ENTRY_HEADER_BYTES + bytes.length,
    FRAME_HEADER_BYTES,
  );
  const frame = Buffer.alloc(length + 1);
  frame.write(interaction.replaceAll('-', ''), 1, 'hex');
  frame.writeBigUInt64BE(BigInt(Math.round(at)), 17);
  frame.writeUInt32BE(entries.length, 33);
  let to = FRAME_HEADER_BYTES;
  for (const { type, bytes } of entries) {
    frame.writeUInt32BE(bytes.length, to);
    frame.writeUInt8(type, to + 4);
    frame.set(bytes, to + ENTRY_HEADER_BYTES);
    to += ENTRY_HEADER_BYTES + bytes.length;
  }
  frame.writeUInt8(FRAME_KIND[kind], to);
  return frame;
}

export const writeReady = (trace: string, at: number, parameters: object): string =>
  JSON.stringify({
    type: 'sessionReady',
    payload: {
      trace_id: trace,
      status: 'success',
      load: 0,
      timestamp: Math.round(at),
      parameters,
      num_clients: 1,
      max_capacity: 1,
    },
  });

/** Shown by the client as a fatal error `code: message`. */
export const writeError = (code: string, message: string, at: number): string =>
  JSON.stringify({
    type: 'errorResponse',
    payload: { interaction_id: null, code, message, timestamp: Math.round(at), details: null },
  });
