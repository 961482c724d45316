import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import {
  closeBotroomSessions,
  performInBotroom,
  startInBotroom,
} from '../../../../support/picture/botroom-session.ts';
import { cutUp, numbered, tone, voiced } from '../../../../support/sound/pcm.ts';

const RATE = 48_000;
const PER_MS = RATE / 1000;

afterEach(closeBotroomSessions);

const isSilent = (samples: number[]) => samples.every((sample) => sample === 0);

const stereo = (mono: Int16Array): Int16Array =>
  Int16Array.from({ length: 2 * mono.length }, (_, i) => mono[i >> 1]!);

describe('the sound of a session in a botroom', () => {
  test('leaves at the pace of its clock for ten minutes', async () => {
    const { clock, relay, say } = await startInBotroom();
    const from = clock.elapsed();
    for (let second = 0; second < 600; second++) {
      if (second % 10 === 0) say(tone(8_000, 5_000), { sampleRate: 8_000 });
      if (second % 10 === 0) relay.say('flush');
      clock.advance(1_000);
    }

    const sentMs = relay.sound.reduce((sum, { samples }) => sum + samples.length / PER_MS, 0);
    expect(Math.abs(sentMs - (clock.elapsed() - from))).toBeLessThan(40);
    let latest = 0;
    let sentSamples = 0;
    for (const { atMs, samples } of relay.sound) {
      latest = Math.max(latest, Math.abs(atMs - from - sentSamples / PER_MS));
      sentSamples += samples.length;
    }
    expect(latest).toBeLessThan(40);
  });

  test.each(
    [8_000, 16_000, 24_000, 48_000].flatMap((sampleRate) => [
      { sampleRate, channels: 1 },
      { sampleRate, channels: 2 },
    ]),
  )('has all speech of $sampleRate Hz, $channels channels', async (format) => {
    const { clock, relay, say } = await startInBotroom();
    await clock.pass(500);
    const speech = tone(format.sampleRate, 1_000, 400);

    const clientSound = format.channels === 2 ? stereo(speech) : speech;
    say(clientSound.slice(0, clientSound.length / 2), format);
    say(clientSound.slice(clientSound.length / 2), format);
    relay.say('flush');
    await clock.pass(2_000);

    const voicedSamples = voiced(relay.soundSince(500));
    expect(Math.abs(voicedSamples.length / PER_MS - 1_000)).toBeLessThan(2);
    expect(Math.max(...voicedSamples)).toBeGreaterThan(7_800);
    expect(Math.max(...voicedSamples)).toBeLessThan(8_300);
  });

  test('is silent at once when interrupted, and speaks what follows', async () => {
    const { clock, relay, say } = await startInBotroom();
    say(tone(RATE, 3_000), { sampleRate: RATE });
    await clock.pass(1_000);

    relay.say('interrupt');
    const cutAt = clock.elapsed();
    await clock.pass(500);
    say(new Int16Array(4_800).fill(77), { sampleRate: RATE });
    relay.say('flush');
    await clock.pass(500);

    expect(isSilent(relay.soundSince(cutAt + 1).slice(0, 450 * PER_MS))).toBe(true);
    expect(voiced(relay.soundSince(cutAt + 1))).toEqual(Array<number>(4_800).fill(77));
  });

  test('goes on through interruptions while it is silent', async () => {
    const { clock, relay } = await startInBotroom();
    await clock.pass(100);

    for (let i = 0; i < 50; i++) {
      relay.say('interrupt');
      await clock.pass(10);
    }

    const sentMs = relay.sound.reduce((sum, { samples }) => sum + samples.length / PER_MS, 0);
    expect(Math.abs(sentMs - 600)).toBeLessThanOrEqual(30);
  });

  test('is in order and without loss, however the records are cut', async () => {
    const records = fc.array(fc.integer({ min: 1, max: 4_000 }), { minLength: 1, maxLength: 12 });
    const gaps = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(records, gaps, fc.nat(3), async (sizes, waits, stalls) => {
        const { clock, relay, say, session } = performInBotroom();
        await session.started;
        const speech = numbered(RATE / 2);
        const bytes = new Uint8Array(speech.buffer);
        const from = clock.elapsed();
        for (const [i, piece] of cutUp(
          bytes,
          sizes.map((size) => 2 * size),
        ).entries()) {
          say(new Int16Array(piece.buffer), { sampleRate: RATE });
          if (stalls > 0 && i % 5 === 0) clock.stall(stalls * 15);
          else clock.advance(Math.min(waits[i % waits.length]!, 1_000 / (i + 1)));
        }
        relay.say('flush');
        clock.advance(2_000);

        const heardSamples = relay.soundSince(from).filter((sample) => sample !== 0);
        expect(heardSamples).toEqual([...speech]);
        await session.close();
        expect(clock.waiting).toBe(0);
      }),
      { numRuns: 30, examples: [[[432, 2_946, 829, 113], [57, 20], 2]] },
    );
  });
});
