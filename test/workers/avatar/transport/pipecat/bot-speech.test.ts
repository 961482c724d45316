import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { BotSpeech } from '../../../../../workers/avatar/transport/pipecat/bot-speech.ts';
import { joined, pcm, tone } from '../../../../support/sound/pcm.ts';
import { waveOf } from '../../../../support/sound/wave.ts';
import { TestClock } from '../../../../support/test-clock.ts';

const RATE = 16_000;
const CHUNK_MS = 40;
const CHUNK = (RATE * CHUNK_MS) / 1000;
const log = createLog({ name: 'test', level: 'silent' });

const silence = (ms: number): Int16Array => new Int16Array((RATE * ms) / 1000);

type Heard = { sampleRate: number; channels: number; ms: number; endedAtMs: number | null };

function given() {
  const clock = new TestClock();
  const segments = new Map<string, Heard>();
  const speech = new BotSpeech({
    clock,
    log,
    listener: {
      begin: (stream, format) => segments.set(stream, { ...format, ms: 0, endedAtMs: null }),
      chunk: (stream, bytes) => {
        const segment = segments.get(stream)!;
        expect(segment.endedAtMs).toBeNull();
        segment.ms += bytes.length / (2 * segment.channels * (segment.sampleRate / 1000));
      },
      end: (stream) => {
        segments.get(stream)!.endedAtMs = clock.elapsed();
      },
    },
  });
  const hear = (samples: Int16Array, sampleRate = RATE, channels = 1) =>
    speech.hear({ type: 'audio', audio: pcm(samples), sampleRate, channels });
  /** In chunks of 40 ms, each when it is due, as Pipecat sends them. */
  const inTime = (samples: Int16Array) => {
    for (let at = 0; at < samples.length; at += CHUNK) {
      hear(samples.subarray(at, at + CHUNK));
      clock.advance(CHUNK_MS);
    }
  };
  const lengths = () => [...segments.values()].map(({ ms }) => ms);
  const ends = () => [...segments.values()].map(({ endedAtMs }) => endedAtMs);
  return { clock, speech, segments, hear, inTime, lengths, ends };
}

describe('speech of a bot', () => {
  test('is one segment until nothing comes for 300 ms', () => {
    const { clock, inTime, lengths, ends } = given();

    inTime(tone(RATE, 1000));
    clock.advance(259);
    const earlyEnds = ends();
    clock.advance(1);

    expect([earlyEnds, ends(), lengths()]).toEqual([[null], [1260], [1000]]);
    expect(clock.waiting).toBe(0);
  });

  test('ends when the bot says so', () => {
    const { clock, speech, inTime, ends } = given();

    inTime(tone(RATE, 400));
    speech.end();
    inTime(tone(RATE, 400));
    speech.end();
    speech.end();

    expect(ends()).toEqual([400, 800]);
    expect(clock.waiting).toBe(0);
  });

  test('survives a hitch of the network', () => {
    const { clock, speech, inTime, lengths } = given();

    inTime(tone(RATE, 400));
    clock.advance(250);
    inTime(tone(RATE, 400));
    speech.end();

    expect(lengths()).toEqual([800]);
  });

  test('of a bot that sends silence, too, ends after 300 ms of it; the rest is not played', () => {
    const { inTime, lengths } = given();

    inTime(joined(silence(2000), tone(RATE, 400), silence(2000), tone(RATE, 400), silence(400)));

    expect(lengths()).toEqual([720, 720]);
  });

  test('keeps its pauses when it was made faster than it is spoken', () => {
    const { clock, hear, lengths } = given();

    hear(joined(tone(RATE, 1000), silence(600), tone(RATE, 1000)));
    hear(silence(600));
    hear(tone(RATE, 1000));
    clock.advance(300);

    expect(lengths()).toEqual([4200]);
  });

  test('begins anew with another format', () => {
    const { speech, segments, hear } = given();

    hear(tone(RATE, 40));
    hear(tone(24_000, 40), 24_000);
    hear(tone(24_000, 40), 24_000, 2);
    speech.end();

    expect(
      [...segments.values()].map(({ sampleRate, channels }) => [sampleRate, channels]),
    ).toEqual([
      [16_000, 1],
      [24_000, 1],
      [24_000, 2],
    ]);
  });

  test('that was interrupted is forgotten: the next begins at once', () => {
    const { clock, speech, hear, inTime, lengths, ends } = given();

    hear(tone(RATE, 60_000));
    speech.cut();
    inTime(joined(tone(RATE, 400), silence(400)));

    // The listener, which dropped the first one, has ended it.
    expect([lengths(), ends()]).toEqual([
      [60_000, 720],
      [null, 680],
    ]);
    expect(clock.waiting).toBe(0);
  });

  test('is cut after five minutes: music in the background never ends', () => {
    const { clock, speech, lengths } = given();
    const audio = pcm(tone(8_000, 200));

    for (let ms = 0; ms < 301_000; ms += 200) {
      speech.hear({ type: 'audio', audio, sampleRate: 8_000, channels: 1 });
      clock.advance(200);
    }
    speech.end();

    expect(lengths()).toEqual([300_000, 1000]);
  });

  test('is dropped more than two minutes ahead of what was played', () => {
    const { clock, speech, lengths } = given();
    const audio = pcm(tone(RATE, 1000));
    const hear = () => speech.hear({ type: 'audio', audio, sampleRate: RATE, channels: 1 });

    for (let second = 0; second < 200; second++) hear();
    speech.end();
    clock.advance(60_000);
    hear();

    expect(lengths()).toEqual([121_000, 1000]);
  });

  test('in WAV chunks has no clicks of their headers', () => {
    const { speech, lengths } = given();

    speech.hear({
      type: 'audio',
      audio: waveOf(tone(RATE, 40), RATE),
      sampleRate: RATE,
      channels: 1,
    });

    expect(lengths()).toEqual([40]);
  });

  test('may lie anywhere in a message', () => {
    const { speech, lengths } = given();
    const message = Buffer.concat([Buffer.of(0), pcm(tone(RATE, 40))]);

    for (const audio of [message.subarray(1), message.subarray(0, -1)]) {
      speech.hear({ type: 'audio', audio, sampleRate: RATE, channels: 1 });
    }

    expect(lengths()).toEqual([80]);
  });

  test.each([
    ['no rate', 0, 1],
    ['a rate beyond what is played', 192_001, 1],
    ['no channel', RATE, 0],
    ['too many channels', RATE, 17],
  ])('with %s is ignored', (_, sampleRate, channels) => {
    const { hear, lengths } = given();

    hear(tone(RATE, 40), sampleRate, channels);

    expect(lengths()).toEqual([]);
  });

  test('of any bytes in any order never leaves a segment or a timer open', () => {
    const step = fc.oneof(
      fc.record({
        audio: fc.uint8Array({ maxLength: 4000, size: 'max' }),
        sampleRate: fc.constantFrom(0, 7999, 8000, RATE, 44_100, 48_000, 48_001),
        channels: fc.nat({ max: 3 }),
      }),
      fc.constantFrom('end' as const, 'cut' as const),
      fc.nat({ max: 500 }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { clock, speech, segments } = given();
        let cut = 0;

        for (const each of steps) {
          if (typeof each === 'number') clock.advance(each);
          else if (each === 'end') speech.end();
          else if (each === 'cut') {
            cut = segments.size;
            speech.cut();
          } else speech.hear({ type: 'audio', ...each });
        }
        speech.end();

        expect(clock.waiting).toBe(0);
        expect(
          [...segments.values()].slice(cut).filter(({ endedAtMs }) => endedAtMs === null),
        ).toEqual([]);
      }),
    );
  });
});
