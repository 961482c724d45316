import { afterEach, describe, expect, test } from 'vitest';
import {
  closeBotroomSessions,
  performInBotroom,
  startInBotroom,
} from '../../../../support/picture/botroom-session.ts';
import { numbered, voiced } from '../../../../support/sound/pcm.ts';
import { settle } from '../../../../support/test-clock.ts';

const RATE = 48_000;

afterEach(closeBotroomSessions);

describe('a takeover in a botroom', () => {
  test('shows a picture first, then finishes what the other worker had received', async () => {
    const { clock, relay } = await startInBotroom(2, { unanswered: [3.5, 0] });
    await clock.pass(50);

    expect(relay.received[0]?.type).toBe('video');
    expect(relay.socket.target.url.searchParams.get('epoch')).toBe('2');
    expect(relay.of('playback').map(({ header }) => header)).toEqual([
      { event: 'finished', position_ms: 3_500, interrupted: true },
      { event: 'finished', position_ms: 0, interrupted: true },
    ]);
  });

  test('speaks what the relay kept meanwhile, from its first sample on', async () => {
    const stage = performInBotroom(2);
    const { clock, relay, session } = stage;
    relay.onDial = (socket) => {
      relay.admit(socket);
      stage.say(numbered(4_800), { sampleRate: RATE });
      relay.say('flush');
    };
    await session.started;
    await clock.pass(500);

    expect(voiced(relay.soundSince())).toEqual([...numbered(4_800)]);
  });

  test('leaves the room to the next one: falls silent, and then goes when it is replaced', async () => {
    const { clock, relay, session, ended } = await startInBotroom();

    expect(await session.release(1_000)).toBe(true);
    await clock.pass(500);
    relay.socket.end({ code: 4409, reason: 'A newer connection replaced this one.' });
    await settle();

    expect(ended()).toBe('replaced');
  });

  test('tells the relay that it released the session, also after a new connection', async () => {
    const { clock, relay, session, say } = await startInBotroom();
    say(numbered(4_800), { sampleRate: RATE });
    relay.say('flush');

    const released = session.release(1_000);
    const earlyReleases = relay.of('released').length;
    await clock.pass(1_000);
    await released;
    const laterReleases = relay.of('released').length;
    relay.socket.end();
    await clock.pass(500);

    expect([earlyReleases, laterReleases, relay.of('released').length]).toEqual([0, 1, 2]);
  });
});
