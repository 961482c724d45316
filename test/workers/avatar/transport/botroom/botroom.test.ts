import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { performInBotroom } from '../../../../support/picture/botroom-session.ts';
import { cutUp, tone } from '../../../../support/sound/pcm.ts';
import { settle } from '../../../../support/test-clock.ts';

type Given = ReturnType<typeof performInBotroom>;

const RATE = 48_000;
const PER_MS = RATE / 1000;

let all: Given[] = [];
afterEach(async () => {
  for (const { session, clock } of all) {
    await session.close();
    expect(clock.waiting).toBe(0);
  }
  all = [];
});

async function performing(...given: Parameters<typeof performInBotroom>): Promise<Given> {
  const made = performInBotroom(...given);
  all.push(made);
  await made.session.started;
  return made;
}

const isSilent = (samples: number[]) => samples.every((sample) => sample === 0);

/** The sound between leading and trailing silence. */
function voiced(samples: number[]): number[] {
  const from = samples.findIndex((sample) => sample !== 0);
  const to = samples.findLastIndex((sample) => sample !== 0);
  return from < 0 ? [] : samples.slice(from, to + 1);
}

const stereo = (left: Int16Array): Int16Array =>
  Int16Array.from({ length: 2 * left.length }, (_, i) => left[i >> 1]!);

/** Samples that differ, so that any loss or change of order shows. */
const numbered = (count: number): Int16Array =>
  Int16Array.from({ length: count }, (_, i) => 1 + (i % 30_000));

describe('a session in a botroom', () => {
  test('has started when its first picture has left, and shows the rest of them', async () => {
    const { clock, relay } = await performing();
    const [first] = relay.pictures;
    await clock.pass(1_000);

    expect(relay.received[0]?.type).toBe('video');
    expect(first).toMatchObject({ width: 16, height: 16, encoding: 'jpeg', timestamp_ms: 0 });
    expect([...first!.jpeg.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    const times = relay.pictures.map(({ timestamp_ms }) => timestamp_ms!);
    expect(times.length).toBeGreaterThanOrEqual(25);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test('sends sound at the pace of its clock for ten minutes', { timeout: 120_000 }, async () => {
    const { clock, relay, say } = await performing();
    const from = clock.elapsed();
    for (let second = 0; second < 600; second++) {
      if (second % 10 === 0) say(tone(8_000, 5_000), { sampleRate: 8_000 });
      if (second % 10 === 0) relay.say('flush');
      clock.advance(1_000);
    }

    const sentMs = relay.sound.reduce((sum, { samples }) => sum + samples.length / PER_MS, 0);
    expect(Math.abs(sentMs - (clock.elapsed() - from))).toBeLessThan(40);
    let latest = 0;
    let sent = 0;
    for (const { atMs, samples } of relay.sound) {
      latest = Math.max(latest, Math.abs(atMs - from - sent / PER_MS));
      sent += samples.length;
    }
    expect(latest).toBeLessThan(40);
  });

  test.each(
    [8_000, 16_000, 24_000, 48_000].flatMap((sampleRate) => [
      { sampleRate, channels: 1 },
      { sampleRate, channels: 2 },
    ]),
  )('plays speech of $sampleRate Hz, $channels channels, in full', async (format) => {
    const { clock, relay, say } = await performing();
    await clock.pass(500);
    const speech = tone(format.sampleRate, 1_000, 400);

    const spoken = format.channels === 2 ? stereo(speech) : speech;
    say(spoken.slice(0, spoken.length / 2), format);
    say(spoken.slice(spoken.length / 2), format);
    relay.say('flush');
    await clock.pass(2_000);

    const heard = voiced(relay.heard(500));
    expect(Math.abs(heard.length / PER_MS - 1_000)).toBeLessThan(2);
    expect(Math.max(...heard)).toBeGreaterThan(7_800);
    expect(Math.max(...heard)).toBeLessThan(8_300);
  });

  test('reports playback with positions', async () => {
    const { clock, relay, say } = await performing();

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
      { event: 'finished', position_ms: expect.closeTo(195, -1), interrupted: true },
    ]);
  });

  test('is silent at once when interrupted, and speaks what follows', async () => {
    const { clock, relay, say } = await performing();
    say(tone(RATE, 3_000), { sampleRate: RATE });
    await clock.pass(1_000);

    relay.say('interrupt');
    const cutAt = clock.elapsed();
    await clock.pass(500);
    say(new Int16Array(4_800).fill(77), { sampleRate: RATE });
    relay.say('flush');
    await clock.pass(500);

    expect(isSilent(relay.heard(cutAt + 1).slice(0, 450 * PER_MS))).toBe(true);
    expect(voiced(relay.heard(cutAt + 1))).toEqual(Array<number>(4_800).fill(77));
  });

  test('does not mind interruptions while it is silent', async () => {
    const { clock, relay } = await performing();
    await clock.pass(100);

    for (let i = 0; i < 50; i++) {
      relay.say('interrupt');
      await clock.pass(10);
    }

    const sentMs = relay.sound.reduce((sum, { samples }) => sum + samples.length / PER_MS, 0);
    expect(Math.abs(sentMs - 600)).toBeLessThanOrEqual(30);
  });

  test('sends sound and the picture of the same moment together', async () => {
    const { clock, relay, performer, say } = await performing();
    await clock.pass(330);

    say(tone(RATE, 400), { sampleRate: RATE });
    relay.say('flush');
    await clock.pass(1_000);

    const heardAt = relay.sound.find(({ samples }) => samples.some((sample) => sample !== 0))!.atMs;
    // When the performer's mouth opens, without the extra delay of a viewer's audio buffer.
    const mouthAt = performer.heard[0]!.atMs - 25;
    expect(Math.abs(heardAt - mouthAt)).toBeLessThanOrEqual(20);
  });

  test('sends captions with the speech that they belong to', async () => {
    const { clock, relay, say } = await performing();
    relay.say('caption', { text: 'Hello' });
    say(tone(RATE, 400), { sampleRate: RATE });
    relay.say('caption', { text: 'there.' });
    say(tone(RATE, 400), { sampleRate: RATE });
    relay.say('flush');
    await clock.pass(1_500);

    const [hello, there] = relay.of('caption');
    expect(hello!.header).toEqual({ text: 'Hello' });
    expect(there!.header).toEqual({ text: 'there.' });
    expect(there!.atMs - hello!.atMs).toBeCloseTo(400, -1);
  });

  test('attends to the user while the client sends a voice', async () => {
    const { clock, relay, performer } = await performing();

    const loud = new Uint8Array(new Int16Array(320).fill(9_000).buffer);
    relay.say('listen', { sample_rate: 16_000, num_channels: 1 }, loud);
    await clock.pass(2_000);

    expect(performer.attended).toEqual([true, false]);
  });

  test('plays on while a record is invalid', async () => {
    const { clock, relay, ended } = await performing();

    relay.say('audio', { sample_rate: 1 }, new Uint8Array(2));
    relay.say('video');
    await clock.pass(1_000);

    expect(ended()).toBeNull();
  });
});

describe('the end of a session in a botroom', () => {
  test('comes when the client asks for it', async () => {
    const { relay, ended } = await performing();

    relay.say('close');
    await settle();

    expect(ended()).toBe('ended_by_client');
    expect(relay.socket.closedWith).toBe(1000);
  });

  test('comes ten seconds after the client has left, unless it returns', async () => {
    const { clock, relay, ended } = await performing();
    relay.say('presence', { client: false });
    await clock.pass(9_000);
    relay.say('presence', { client: true });
    await clock.pass(5_000);
    relay.say('presence', { client: false });
    await clock.pass(9_990);
    const before = ended();
    await clock.pass(20);

    expect(before).toBeNull();
    expect(ended()).toBe('agent_left');
  });

  test('has the reason that the relay names', async () => {
    const { relay, ended } = await performing();

    relay.socket.end({ code: 4410, reason: 'The session is over: time_limit.' });
    await settle();

    expect(ended()).toBe('time_limit');
  });

  test('explains a lost relay after ten seconds', async () => {
    const { clock, relay, session, ended } = await performing();
    relay.onDial = (socket) => socket.end({ status: 503 });

    relay.socket.end();
    await clock.pass(10_000);

    expect(ended()).toBe('room_closed');
    expect(session.endDetail).toBe('The relay answered 503.');
  });

  test('explains a refusal', async () => {
    const made = performInBotroom();
    all.push(made);
    made.relay.onDial = (socket) => socket.end({ status: 401 });
    await made.clock.pass(0);

    expect(made.ended()).toBe('room_refused');
    expect(made.session.endDetail).toBe('The relay answered 401.');
  });
});

describe('a session in a botroom whose relay', () => {
  test('is away for a moment goes on, and shows its picture at once', async () => {
    const { clock, relay, say, ended } = await performing();
    say(tone(RATE, 5_000), { sampleRate: RATE });
    await clock.pass(1_000);

    relay.socket.end();
    await clock.pass(100);
    const backAt = clock.elapsed();
    await clock.pass(3_000);

    expect(ended()).toBeNull();
    expect(relay.pictures.find(({ atMs }) => atMs >= backAt)!.atMs - backAt).toBeLessThan(41);
    // What played meanwhile is lost, not late.
    const heardMs = voiced(relay.heard(backAt)).length / PER_MS;
    expect(Math.abs(heardMs - 3_000)).toBeLessThan(41);
  });

  test('reads slowly gets fewer pictures, but all of the sound', async () => {
    const { clock, relay, say } = await performing();
    await clock.pass(1_000);
    const before = relay.pictures.length;

    relay.socket.unsentBytes = 200 * 1024;
    say(numbered(RATE), { sampleRate: RATE });
    relay.say('flush');
    const from = clock.elapsed();
    await clock.pass(2_000);
    const during = relay.pictures.length;
    relay.socket.unsentBytes = 0;
    await clock.pass(100);

    expect(during).toBe(before);
    expect(relay.pictures.length).toBeGreaterThan(during);
    expect(voiced(relay.heard(from + 1))).toEqual([...numbered(RATE)]);
  });
});

describe('a takeover in a botroom', () => {
  test('shows a picture first, then finishes what the other worker had received', async () => {
    const { clock, relay } = await performing(2, { unanswered: [3.5, 0] });
    await clock.pass(50);

    expect(relay.received[0]?.type).toBe('video');
    expect(relay.socket.target.url.searchParams.get('epoch')).toBe('2');
    expect(relay.of('playback').map(({ header }) => header)).toEqual([
      { event: 'finished', position_ms: 3_500, interrupted: true },
      { event: 'finished', position_ms: 0, interrupted: true },
    ]);
  });

  test('speaks what the relay kept meanwhile, from its first sample on', async () => {
    const made = performInBotroom(2);
    all.push(made);
    const { clock, relay, session } = made;
    relay.onDial = (socket) => {
      relay.admit(socket);
      made.say(numbered(4_800), { sampleRate: RATE });
      relay.say('flush');
    };
    await session.started;
    await clock.pass(500);

    expect(voiced(relay.heard())).toEqual([...numbered(4_800)]);
  });

  test('leaves the room to the next one: falls silent, and then goes when it is replaced', async () => {
    const { clock, relay, session, ended } = await performing();

    expect(await session.release(1_000)).toBe(true);
    await clock.pass(500);
    relay.socket.end({ code: 4409, reason: 'A newer connection replaced this one.' });
    await settle();

    expect(ended()).toBe('replaced');
  });

  test('tells the relay that it released the session, also after a new connection', async () => {
    const { clock, relay, session, say } = await performing();
    say(numbered(4_800), { sampleRate: RATE });
    relay.say('flush');

    const released = session.release(1_000);
    const before = relay.of('released').length;
    await clock.pass(500);
    await released;
    const after = relay.of('released').length;
    relay.socket.end();
    await clock.pass(500);

    expect([before, after, relay.of('released').length]).toEqual([0, 1, 2]);
  });
});

test('speech is heard in order and without loss, however its records are cut', async () => {
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
      clock.advance(20_000);

      const heard = relay.heard(from).filter((sample) => sample !== 0);
      expect(heard).toEqual([...speech]);
      await session.close();
      expect(clock.waiting).toBe(0);
    }),
    { numRuns: 30 },
  );
});
