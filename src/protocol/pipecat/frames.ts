/*
 * The frames of Pipecat's websocket bots: `pipecat/frames/frames.proto` of pipecat-ai 1.14.0. One
 * binary message holds one frame. Ids, names and presentation times are neither read nor sent.
 */
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf';

export type PipecatFrame =
  | { type: 'text'; text: string }
  /** Interleaved 16-bit little-endian PCM. */
  | { type: 'audio'; audio: Uint8Array; sampleRate: number; channels: number }
  | { type: 'transcription'; text: string; userId: string; timestamp: string }
  /** JSON: for most bots, a message of RTVI. */
  | { type: 'message'; data: string }
  | { type: 'interruption' };

/** A message is not a frame. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** Field numbers. Those of the frames are also their types. */
const FRAME = { text: 1, audio: 2, transcription: 3, message: 4, interruption: 5 } as const;
const TYPES: ReadonlySet<number> = new Set(Object.values(FRAME));
const TEXT = { text: 3 } as const;
const AUDIO = { audio: 3, sampleRate: 4, channels: 5 } as const;
const TRANSCRIPTION = { text: 3, userId: 4, timestamp: 5 } as const;
const MESSAGE = { data: 1 } as const;

export function writeFrame(frame: PipecatFrame): Uint8Array {
  const writer = new BinaryWriter();
  writer.tag(FRAME[frame.type], WireType.LengthDelimited).fork();
  switch (frame.type) {
    case 'text':
      writeText(writer, TEXT.text, frame.text);
      break;
    case 'audio':
      writer.tag(AUDIO.audio, WireType.LengthDelimited).bytes(frame.audio);
      writer.tag(AUDIO.sampleRate, WireType.Varint).uint32(frame.sampleRate);
      writer.tag(AUDIO.channels, WireType.Varint).uint32(frame.channels);
      break;
    case 'transcription':
      writeText(writer, TRANSCRIPTION.text, frame.text);
      writeText(writer, TRANSCRIPTION.userId, frame.userId);
      writeText(writer, TRANSCRIPTION.timestamp, frame.timestamp);
      break;
    case 'message':
      writeText(writer, MESSAGE.data, frame.data);
      break;
    case 'interruption':
  }
  return writer.join().finish();
}

/** Null for a frame of a type added later. Audio is a view of `bytes`. Throws a FrameError. */
export function readFrame(bytes: Uint8Array): PipecatFrame | null {
  try {
    // Only the last frame counts, as for every `oneof`.
    const [no, content] = [...fieldsOf(bytes)].findLast(([, value]) => isBytes(value)) ?? [];
    return no !== undefined && isBytes(content) ? frameOf(no, content) : null;
  } catch (cause) {
    throw new FrameError('The message is not a frame of Pipecat.', { cause });
  }
}

type Value = Uint8Array | number | null;

function frameOf(no: number, content: Uint8Array): PipecatFrame | null {
  if (!TYPES.has(no)) return null;
  const fields = new Map(fieldsOf(content));
  switch (no) {
    case FRAME.text:
      return { type: 'text', text: textOf(fields.get(TEXT.text)) };
    case FRAME.audio:
      return {
        type: 'audio',
        audio: bytesOf(fields.get(AUDIO.audio)),
        sampleRate: numberOf(fields.get(AUDIO.sampleRate)),
        channels: numberOf(fields.get(AUDIO.channels)),
      };
    case FRAME.transcription:
      return {
        type: 'transcription',
        text: textOf(fields.get(TRANSCRIPTION.text)),
        userId: textOf(fields.get(TRANSCRIPTION.userId)),
        timestamp: textOf(fields.get(TRANSCRIPTION.timestamp)),
      };
    case FRAME.message:
      return { type: 'message', data: textOf(fields.get(MESSAGE.data)) };
    case FRAME.interruption:
      return { type: 'interruption' };
    default:
      return null;
  }
}

/** Varints are cut to 32 bits. Null for the types that no frame has. */
function* fieldsOf(bytes: Uint8Array): Generator<[no: number, value: Value]> {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [no, type] = reader.tag();
    switch (type) {
      case WireType.LengthDelimited:
        yield [no, reader.bytes()];
        break;
      case WireType.Varint:
        yield [no, Number(BigInt.asUintN(32, BigInt(reader.uint64())))];
        break;
      case WireType.Bit32:
      case WireType.Bit64:
        reader.skip(type);
        yield [no, null];
        break;
      // Groups nest without limit.
      case WireType.StartGroup:
      case WireType.EndGroup:
        throw new FrameError('A frame has no groups.');
    }
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const emptyBytes = new Uint8Array();

const isBytes = (value: Value | undefined): value is Uint8Array => value instanceof Uint8Array;
const bytesOf = (value: Value | undefined): Uint8Array => (isBytes(value) ? value : emptyBytes);
const textOf = (value: Value | undefined): string => utf8.decode(bytesOf(value));
const numberOf = (value: Value | undefined): number => (typeof value === 'number' ? value : 0);

function writeText(writer: BinaryWriter, no: number, text: string): void {
  // Absent means empty.
  if (text !== '') writer.tag(no, WireType.LengthDelimited).string(text);
}
