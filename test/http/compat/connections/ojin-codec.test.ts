import { beforeEach, describe, expect, test } from 'vitest';
import type { MediaRecord, RecordName } from '#protocol/botroom/records.ts';
import { OjinCodec } from '../../../../src/http/compat/connections/ojin-codec.ts';
import {
  ojinSpeech,
  ojinText,
  readFrame,
  type ReadFrame,
} from '../../../support/botrooms/ojin-messages.ts';
import { TestClock } from '../../../support/test-clock.ts';

const SESSION = '5c1e8a52-6f0b-4d3e-9a57-1b7d2f90c401';

let clock: TestClock;
let codec: OjinCodec;
let close: () => void;
/** Sent and received unasked. */
let sentMessages: (Uint8Array | string)[];
let received: RecordName[];

function connect(identity: string | null, sampleRate = 16_000): void {
  clock = new TestClock();
  sentMessages = [];
  received = [];
  codec = new OjinCodec({ sessionId: SESSION, sampleRate, identity, notes: { unused: [] } });
  close = codec.open({
    clock,
    send: (message) => sentMessages.push(message),
    receive: ({ type }) => received.push(type),
  });
}
beforeEach(() => connect(null));

const record = (type: RecordName, header = {}, blob = new Uint8Array()): MediaRecord => ({
  type,
  header,
  blob,
});
const picture = (mark: number) => record('video', { encoding: 'jpeg' }, Buffer.alloc(10, mark));

/** PCM with one value. */
const pcm = (ms: number, value: number, rate: number) =>
  Buffer.from(new Int16Array((ms * rate) / 1_000).fill(value).buffer);
const sound = (ms: number, value = 100) =>
  record('audio', { sample_rate: 48_000, num_channels: 1 }, pcm(ms, value, 48_000));
const playback = (event: string) => record('playback', { event });

const say = (ms: number, value = 100) => codec.read(ojinSpeech(pcm(ms, value, 16_000)), true);
const write = (...records: MediaRecord[]) =>
  records.flatMap((mediaRecord) => codec.write(mediaRecord));
const framesOf = (messages: (Uint8Array | string)[]): ReadFrame[] =>
  messages.map((message) => readFrame(message as Buffer));
const kindsOf = (messages: (Uint8Array | string)[]) => framesOf(messages).map(({ kind }) => kind);

describe('the client’s side in Ojin’s protocol', () => {
  test('is ready with the session, and asks for short pieces of speech', () => {
    const [ready] = write(record('ready'));

    expect(JSON.parse(String(ready))).toEqual({
      type: 'sessionReady',
      payload: {
        trace_id: SESSION,
        status: 'success',
        load: 0,
        timestamp: clock.now(),
        parameters: { unused: [], server_feed_initial_chunk_ms: 600 },
        num_clients: 1,
        max_capacity: 1,
      },
    });
  });

  test('shows pictures without speech as idle frames', () => {
    const [frame] = framesOf(write(picture(7)));

    expect(frame).toEqual({
      kind: 'idle',
      interaction: SESSION.replaceAll('-', ''),
      at: clock.now(),
      image: Buffer.alloc(10, 7),
      audio: null,
    });
  });

  test('turns speech into a record of its rate', () => {
    connect(null, 24_000);
    const bytes = pcm(40, 5, 24_000);

    const records = codec.read(ojinSpeech(bytes), true);

    expect(records).toEqual([
      { type: 'audio', header: { sample_rate: 24_000, num_channels: 1 }, blob: bytes },
    ]);
    close();
  });

  test('ignores the silence that the client sends first', () => {
    expect(say(40, 0)).toEqual([]);
  });

  test('pairs each 40 ms of sound with the picture of 180 ms before', () => {
    say(80);

    const firstMessages = write(picture(1), playback('started'), sound(20), picture(2), sound(20));
    clock.advance(180);
    const frames = framesOf([...firstMessages, ...write(picture(3), sound(40))]);

    expect(frames.map(({ kind, image }) => `${kind} ${image?.[0]}`)).toEqual([
      'idle 1',
      'firstSpeech 1',
      'speech 2',
    ]);
    expect(frames[1]?.audio).toEqual(pcm(40, 100, 16_000));
    close();
  });

  test('ends an utterance with a whole frame, and goes on idly', () => {
    say(60);

    const frames = framesOf(write(picture(1), sound(60), picture(2)));
    const early = write(sound(20, 0));
    clock.advance(180);
    const idle = framesOf(write(sound(20, 0), sound(20, 0)));

    expect(frames.map(({ kind }) => kind)).toEqual(['idle', 'firstSpeech', 'speech']);
    expect(frames[2]?.audio).toHaveLength(40 * 32);
    expect(early).toEqual([]);
    expect(idle.map(({ kind, image }) => `${kind} ${image?.[0]}`)).toEqual(['idle 2']);
    close();
  });

  test('leaves out silence that is not part of speech', () => {
    expect(write(sound(40, 0), sound(40, 0))).toEqual([]);
  });

  test('keeps the silence within speech', () => {
    say(120);

    const kinds = kindsOf(write(sound(40), sound(40, 0), sound(40)));

    expect(kinds).toEqual(['firstSpeech', 'speech', 'speech']);
    close();
  });

  test('moves the face while speech is late', () => {
    say(400);
    write(sound(40));

    const kinds = kindsOf(write(picture(1), picture(2), picture(3), sound(40)));

    expect(kinds).toEqual(['idle', 'speech']);
    close();
  });

  test('tells the worker a pause as the end of an utterance', async () => {
    say(600);
    await clock.pass(500);
    say(400);

    await clock.pass(1_499);
    expect(received).toEqual([]);
    await clock.pass(1);
    expect(received).toEqual(['flush']);
  });

  test('lets the client end an utterance', async () => {
    say(40);

    expect(codec.read(ojinText('endInteraction'), false)).toMatchObject([{ type: 'flush' }]);
    await clock.pass(5_000);
    expect(received).toEqual([]);
  });

  test('ignores messages that it does not know', () => {
    const words = ojinSpeech(Buffer.from('hello'));
    words.writeUInt8(0, 0);

    expect(codec.read(ojinText('sessionUpdate'), false)).toEqual([]);
    expect(codec.read(words, true)).toEqual([]);
  });

  test.each([
    { what: 'a short message', message: Buffer.alloc(12), isBinary: true },
    { what: 'parameters without an end', message: Buffer.alloc(13, 0xff), isBinary: true },
    { what: 'no JSON', message: Buffer.from('hello'), isBinary: false },
    { what: 'null', message: Buffer.from('null'), isBinary: false },
  ])('refuses $what', ({ message, isBinary }) => {
    expect(() => codec.read(message, isBinary)).toThrow(/The (?:message|parameters)/);
  });

  test('tells why the session is over', () => {
    const [error] = write(record('error', { message: 'The session is over: time_limit.' }));

    expect(JSON.parse(String(error))).toMatchObject({
      type: 'errorResponse',
      payload: { code: 'SESSION_OVER', message: 'The session is over: time_limit.' },
    });
  });
});

describe('an interruption by an Ojin client', () => {
  test('is acknowledged at once, and stops the speech', async () => {
    say(400);
    write(picture(1), sound(40));

    const records = codec.read(ojinText('cancelInteraction'), false);

    expect(records).toMatchObject([{ type: 'interrupt' }]);
    expect(kindsOf(sentMessages)).toEqual(['fading']);
    await clock.pass(10_000);
    expect(received).toEqual([]);
  });

  test('drops what was still on its way', () => {
    say(400);
    write(sound(40));
    codec.read(ojinText('cancelInteraction'), false);

    expect(kindsOf(write(sound(40), picture(1), sound(40)))).toEqual(['idle']);
    expect(write(playback('finished'))).toEqual([]);
  });

  test('is followed by a turn of its own', () => {
    say(400);
    write(sound(40));
    codec.read(ojinText('cancelInteraction'), false);
    write(playback('finished'));
    say(80);

    expect(kindsOf(write(playback('started'), sound(40), sound(40)))).toEqual([
      'firstSpeech',
      'speech',
    ]);
    close();
  });
});

describe('an Ojin client whose avatar is in a room', () => {
  beforeEach(() => connect('avatar'));

  test('is told the avatar’s identity', () => {
    const [ready] = write(record('ready'));

    expect(JSON.parse(String(ready)).payload.parameters.webrtc).toEqual({
      status: 'connected',
      provider: 'livekit',
      participant_id: 'avatar',
    });
    close();
  });

  test('gets 25 frames a second without content, which tell what was played', async () => {
    write(record('ready'));
    say(120);
    await clock.pass(80);
    write(playback('started'));
    await clock.pass(200);

    expect(kindsOf(sentMessages).join(' ')).toBe(
      'idle idle idle firstSpeech speech speech idle idle',
    );
    expect(framesOf(sentMessages)[0]).toMatchObject({ image: null, audio: null });
    close();
    expect(clock.waiting).toBe(0);
  });

  test('is told of an interruption that the worker has nothing to say about', async () => {
    write(record('ready'));
    say(40);
    sentMessages = [];

    codec.read(ojinText('cancelInteraction'), false);

    expect(kindsOf(sentMessages)).toEqual(['fading']);
    close();
  });
});
