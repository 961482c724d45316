import { afterEach, describe, expect, test } from 'vitest';
import {
  closeBotroomSessions,
  startInBotroom,
} from '../../../../support/picture/botroom-session.ts';
import { tone } from '../../../../support/sound/pcm.ts';

const RATE = 48_000;

afterEach(closeBotroomSessions);

describe('a session in a botroom', () => {
  test('has started when its first picture has left, and shows the rest of them', async () => {
    const { clock, relay } = await startInBotroom();
    const [firstPicture] = relay.pictures;
    await clock.pass(1_000);

    expect(relay.received[0]?.type).toBe('video');
    expect(firstPicture).toMatchObject({
      width: 16,
      height: 16,
      encoding: 'jpeg',
      timestamp_ms: 0,
    });
    expect([...firstPicture!.jpeg.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    const times = relay.pictures.map(({ timestamp_ms }) => timestamp_ms!);
    expect(times.length).toBeGreaterThanOrEqual(25);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test('reports playback with positions', async () => {
    const { clock, relay, say } = await startInBotroom();

    say(tone(RATE, 500), { sampleRate: RATE });
    relay.say('flush');
    await clock.pass(800);
    say(tone(RATE, 500), { sampleRate: RATE });
    await clock.pass(200);
    relay.say('interrupt');

    expect(relay.of('playback').map(({ header }) => header)).toEqual([
      { event: 'started' },
      { event: 'finished', position_ms: 500, interrupted: false },
      { event: 'started' },
      // Silence that has left plays first.
      { event: 'finished', position_ms: 180, interrupted: true },
    ]);
  });

  test('sends sound and the picture of the same moment together', async () => {
    const { clock, relay, performer, say } = await startInBotroom();
    await clock.pass(330);

    say(tone(RATE, 400), { sampleRate: RATE });
    relay.say('flush');
    await clock.pass(1_000);

    const heardAt = relay.sound.find(({ samples }) => samples.some((sample) => sample !== 0))!.atMs;
    const mouthAt = performer.speech[0]!.atMs;
    expect(Math.abs(heardAt - mouthAt)).toBeLessThanOrEqual(20);
  });

  test('sends a plain client every picture, and sound only up to the end of an utterance', async () => {
    const { clock, relay, performer, say } = await startInBotroom();
    relay.say('presence', { client: true, plain: true });
    await clock.pass(1_000);
    performer.draw = () => false;
    const from = clock.elapsed();
    const soundBefore = relay.sound.length;

    say(tone(RATE, 400), { sampleRate: RATE });
    relay.say('flush');
    await clock.pass(3_000);

    const pictures = relay.pictures.filter(({ atMs }) => atMs > from);
    expect(pictures).toHaveLength(75);
    const sound = relay.sound.slice(soundBefore);
    const ms = sound.reduce((sum, { samples }) => sum + samples.length, 0) / (RATE / 1_000);
    expect(ms).toBe(400 + 480);
  });

  test('sends a plain client sound ahead, and pictures as much later as it delays sound', async () => {
    const { clock, relay, performer, say } = await startInBotroom();
    relay.say('presence', { client: true, plain: true });
    await clock.pass(1_000);
    const from = clock.elapsed();

    say(tone(RATE, 1_000), { sampleRate: RATE });
    relay.say('flush');
    await clock.pass(100);

    const loud = relay.sound.filter(({ samples }) => samples.some((sample) => sample !== 0));
    const ms = loud.reduce((sum, { samples }) => sum + samples.length, 0) / (RATE / 1_000);
    expect(ms - (clock.elapsed() - loud[0]!.atMs)).toBeGreaterThanOrEqual(180);
    expect(loud[0]!.atMs).toBeLessThanOrEqual(from + 20);
    expect(performer.speech[0]!.atMs - loud[0]!.atMs).toBe(85);
  });

  test('sends captions with the speech that they belong to', async () => {
    const { clock, relay, say } = await startInBotroom();
    relay.say('caption', { text: 'Hello' });
    say(tone(RATE, 400), { sampleRate: RATE });
    relay.say('caption', { text: 'there.' });
    say(tone(RATE, 400), { sampleRate: RATE });
    relay.say('flush');
    await clock.pass(1_500);

    const [hello, second] = relay.of('caption');
    expect(hello!.header).toEqual({ text: 'Hello' });
    expect(second!.header).toEqual({ text: 'there.' });
    expect(second!.atMs - hello!.atMs).toBeCloseTo(400, -1);
  });

  test('attends to the user while the client sends a voice', async () => {
    const { clock, relay, performer } = await startInBotroom();

    const loud = new Uint8Array(new Int16Array(320).fill(9_000).buffer);
    relay.say('listen', { sample_rate: 16_000, num_channels: 1 }, loud);
    await clock.pass(2_000);

    expect(performer.attentions).toEqual([true, false]);
  });

  test('plays on while a record is invalid', async () => {
    const { clock, relay, ended } = await startInBotroom();

    relay.say('audio', { sample_rate: 1 }, new Uint8Array(2));
    relay.say('video');
    await clock.pass(1_000);

    expect(ended()).toBeNull();
  });
});
