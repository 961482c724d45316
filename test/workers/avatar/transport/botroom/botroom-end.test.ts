import { afterEach, describe, expect, test } from 'vitest';
import {
  closeBotroomSessions,
  performInBotroom,
  startInBotroom,
} from '../../../../support/picture/botroom-session.ts';
import { settle } from '../../../../support/test-clock.ts';

afterEach(closeBotroomSessions);

describe('the end of a session in a botroom', () => {
  test('comes when the client asks for it', async () => {
    const { relay, ended } = await startInBotroom();

    relay.say('close');
    await settle();

    expect(ended()).toBe('ended_by_client');
    expect(relay.socket.closedWith).toBe(1000);
  });

  test('comes ten seconds after the client has left, unless it returns', async () => {
    const { clock, relay, ended } = await startInBotroom();
    relay.say('presence', { client: false });
    await clock.pass(9_000);
    relay.say('presence', { client: true });
    await clock.pass(5_000);
    relay.say('presence', { client: false });
    await clock.pass(9_990);
    const earlyEnd = ended();
    await clock.pass(20);

    expect(earlyEnd).toBeNull();
    expect(ended()).toBe('agent_left');
  });

  test('has the reason that the relay names', async () => {
    const { relay, ended } = await startInBotroom();

    relay.socket.end({ code: 4410, reason: 'The session is over: time_limit.' });
    await settle();

    expect(ended()).toBe('time_limit');
  });

  test('explains a lost relay after ten seconds', async () => {
    const { clock, relay, session, ended } = await startInBotroom();
    relay.onDial = (socket) => socket.end({ status: 503 });

    relay.socket.end();
    await clock.pass(10_000);

    expect(ended()).toBe('room_closed');
    expect(session.endDetail).toBe('The relay answered 503.');
  });

  test('explains a refusal', async () => {
    const stage = performInBotroom();
    stage.relay.onDial = (socket) => socket.end({ status: 401 });
    await stage.clock.pass(0);

    expect(stage.ended()).toBe('room_refused');
    expect(stage.session.endDetail).toBe('The relay answered 401.');
  });
});
