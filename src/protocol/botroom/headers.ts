/* Headers of the records by sender. Further fields are allowed and ignored. */
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { HELLO_VERSION } from './hello.ts';
import { RecordError, type MediaRecord, type RecordName } from './records.ts';

/** The blob is interleaved 16-bit little-endian PCM. */
const Pcm = Type.Object({
  sample_rate: Type.Integer({ minimum: 8_000, maximum: 48_000 }),
  num_channels: Type.Integer({ minimum: 1, maximum: 2 }),
});
export type PcmHeader = Static<typeof Pcm>;

const Video = Type.Object({
  width: Type.Integer({ minimum: 1, maximum: 4_096 }),
  height: Type.Integer({ minimum: 1, maximum: 4_096 }),
  encoding: Type.Enum(['jpeg', 'rgb24']),
  /** Media time of the session. */
  timestamp_ms: Type.Optional(Type.Number()),
});
export type VideoHeader = Static<typeof Video>;

const Hello = Type.Object({
  version: Type.Literal(HELLO_VERSION),
  /** Unknown names are ignored. */
  wants: Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20 }),
});

const Caption = Type.Object({ text: Type.String({ maxLength: 2_000 }) });
export type CaptionHeader = Static<typeof Caption>;

const Playback = Type.Object({
  event: Type.Enum(['started', 'finished']),
  /** With `finished`: how much of the utterance was heard. */
  position_ms: Type.Optional(Type.Number({ minimum: 0 })),
  interrupted: Type.Optional(Type.Boolean()),
});
export type PlaybackHeader = Static<typeof Playback>;

/** Since the client connected. */
export type StatisticsHeader = { pictures_sent: number; pictures_dropped: number };
/**
 * A `plain` client said no `hello`: a published video service, which shows and plays what it gets
 * when it gets it. It needs every picture, also an unchanged one, and pauses without sound.
 */
export type PresenceHeader = { client: boolean; plain?: boolean };
export type ErrorHeader = { message: string };

const Any = Type.Object({});

/** Headers of the records that clients send. */
const fromClient = {
  audio: Compile(Pcm),
  listen: Compile(Pcm),
  flush: Compile(Any),
  interrupt: Compile(Any),
  close: Compile(Any),
  hello: Compile(Hello),
  caption: Compile(Caption),
};
export type ClientRecordName = keyof typeof fromClient;

/**
 * Headers of the records that workers send. `ready`: the avatar is shown elsewhere than in the
 * botroom, so no picture will come.
 */
const fromWorker = {
  audio: Compile(Pcm),
  video: Compile(Video),
  ready: Compile(Any),
  released: Compile(Any),
  playback: Compile(Playback),
  caption: Compile(Caption),
};
export type WorkerRecordName = keyof typeof fromWorker;

type Checked<Name extends RecordName> = MediaRecord & { type: Name };

/** Throws a RecordError. */
export function checkClientRecord<Given extends MediaRecord>(
  record: Given,
): asserts record is Given & Checked<ClientRecordName> {
  check(fromClient, record, 'client');
}

/** Throws a RecordError. */
export function checkWorkerRecord<Given extends MediaRecord>(
  record: Given,
): asserts record is Given & Checked<WorkerRecordName> {
  check(fromWorker, record, 'worker');
}

type Schemas = Partial<Record<RecordName, { Check(value: unknown): boolean }>>;

function check(schemas: Schemas, { type, header }: MediaRecord, sender: string): void {
  const schema = schemas[type];
  if (!schema) throw new RecordError(`A ${sender} sends no ${type} records.`);
  if (!schema.Check(header))
    throw new RecordError(`The header of the ${type} record is not valid.`);
}

const BYTES_PER_SAMPLE = 2;

/** How long the PCM of an `audio` or `listen` record lasts. */
export function pcmMs({ header, blob }: MediaRecord): number {
  const { sample_rate, num_channels } = header as PcmHeader;
  return (blob.length / (BYTES_PER_SAMPLE * num_channels * sample_rate)) * 1_000;
}
