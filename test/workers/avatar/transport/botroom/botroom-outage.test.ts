import { afterEach, describe, expect, test } from 'vitest';
import {
  closeBotroomSessions,
  startInBotroom,
} from '../../../../support/picture/botroom-session.ts';
import { numbered, tone, voiced } from '../../../../support/sound/pcm.ts';

const RATE = 48_000;
const PER_MS = RATE / 1000;

afterEach(closeBotroomSessions);

describe('a session in a botroom whose relay', () => {
  test('is away for a moment goes on, and shows its picture at once', async () => {
    const { clock, relay, say, ended } = await startInBotroom();
    say(tone(RATE, 5_000), { sampleRate: RATE });
    await clock.pass(1_000);

    relay.socket.end();
    await clock.pass(100);
    const backAt = clock.elapsed();
    await clock.pass(3_000);

    expect(ended()).toBeNull();
    expect(relay.pictures.find(({ atMs }) => atMs >= backAt)!.atMs - backAt).toBeLessThan(41);
    // Sound that played meanwhile is lost: it would be late.
    const heardMs = voiced(relay.soundSince(backAt)).length / PER_MS;
    expect(Math.abs(heardMs - 3_000)).toBeLessThan(41);
  });

  test('is away tells afterwards which speech has finished meanwhile', async () => {
    const { clock, relay, say } = await startInBotroom();
    say(tone(RATE, 300), { sampleRate: RATE });
    relay.say('flush');
    await clock.pass(200);

    relay.onDial = () => {};
    relay.socket.end();
    await clock.pass(1_000);
    relay.onDial = (socket) => relay.admit(socket);
    await clock.pass(6_000);

    expect(relay.of('playback').map(({ header }) => header)).toEqual([
      { event: 'started' },
      { event: 'finished', position_ms: 300, interrupted: false },
    ]);
  });

  test('reads slowly gets fewer pictures, but all of the sound', async () => {
    const { clock, relay, say } = await startInBotroom();
    await clock.pass(1_000);
    const pictureCount = relay.pictures.length;

    relay.socket.unsentBytes = 200 * 1024;
    say(numbered(RATE), { sampleRate: RATE });
    relay.say('flush');
    const from = clock.elapsed();
    await clock.pass(2_000);
    const during = relay.pictures.length;
    relay.socket.unsentBytes = 0;
    await clock.pass(100);

    expect(during).toBe(pictureCount);
    expect(relay.pictures.length).toBeGreaterThan(during);
    expect(voiced(relay.soundSince(from + 1))).toEqual([...numbered(RATE)]);
  });
});
