import { LocalVideoTrack } from '@livekit/rtc-node';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newName } from '#shared/ids.ts';
import type { RoomSignal } from '#protocol/room-signals.ts';
import { Agent } from '../../bench/rooms/agent.ts';
import { babble } from '../../bench/rooms/speech.ts';
import { PerformedRooms } from '../../stage/performed-room.ts';
import { roomToken } from '../../stage/room-token.ts';
import { openViewedRoom, type ViewedRoom } from '../../stage/viewed-room.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

const AVATAR = 'bey-avatar-agent';
const RATE = 24_000;
const BYE: RoomSignal = {
  topic: null,
  means: 'end',
  how: { format: 'json', match: { type: 'BYE' } },
};

let rooms: PerformedRooms;
const shelfClock = new TestClock();
beforeAll(async () => {
  rooms = await PerformedRooms.open(shelfClock);
});
afterEach(() => rooms.empty());
afterAll(() => rooms?.close());

const openRoom = (options?: ViewedRoom) => openViewedRoom(rooms, AVATAR, options);

/** Another agent in the room. */
async function joinStranger(room: string): Promise<Agent> {
  return rooms.join(new Agent(AVATAR), await rooms.token(room, 'stranger', { kind: 'agent' }));
}

describe('an avatar in a room on a real media server', () => {
  test('is seen and heard, and reports to the agent how much was played', async () => {
    const { agent, viewer, session } = await openRoom();
    await session.started;
    const finished = agent.nextFinished();
    const onset = viewer.untilLoud();

    await agent.say(babble(RATE, 2000), RATE);
    await onset;
    const event = await finished;
    await viewer.untilSilent(200);
    await until(() => viewer.recording.frames.length > 30);

    expect(event).toMatchObject({ playback_position: expect.closeTo(2, 2), interrupted: false });
  });

  test('stops when it is interrupted, and speaks again', async () => {
    const { agent, viewer } = await openRoom();
    const cut = agent.nextFinished();
    await agent.say(babble(RATE, 20_000), RATE);
    await viewer.untilLoud();
    await until(() => viewer.recording.sound.filter(({ peak }) => peak > 400).length > 80);

    await agent.clear();
    const interrupted = await cut;
    await viewer.untilSilent(200);
    const nextReport = agent.nextFinished();
    await agent.say(babble(RATE, 300), RATE);

    expect(interrupted.interrupted).toBe(true);
    expect(interrupted.playback_position).toBeGreaterThan(0.7);
    expect(interrupted.playback_position).toBeLessThan(20);
    expect(await nextReport).toMatchObject({
      playback_position: expect.closeTo(0.3, 2),
      interrupted: false,
    });
  });

  test('reports what was heard when its session is ended in mid-speech, and then leaves', async () => {
    const { agent, viewer, session } = await openRoom();
    const cut = agent.nextFinished();
    await agent.say(babble(RATE, 20_000), RATE);
    await viewer.untilLoud();

    session.end('ended_by_client');
    const { interrupted, playback_position } = await cut;
    await session.close();

    expect(interrupted).toBe(true);
    expect(playback_position).toBeGreaterThan(0);
    expect(playback_position).toBeLessThan(20);
    expect(agent.finished).toHaveLength(1);
  });

  test('ignores everyone but its agent', async () => {
    const { room, agent, viewer } = await openRoom();
    const stranger = await joinStranger(room);

    await stranger.say(babble(RATE, 1000), RATE);
    const answer = await stranger.room.localParticipant!.performRpc({
      destinationIdentity: AVATAR,
      method: 'lk.clear_buffer',
      payload: '',
    });
    const finished = agent.nextFinished();
    await agent.say(babble(RATE, 400), RATE);

    expect(answer).toBe('reject');
    expect(await finished).toMatchObject({ playback_position: expect.closeTo(0.4, 2) });
    expect(agent.finished).toHaveLength(1);
    expect(stranger.finished).toHaveLength(0);
    expect(viewer.recording.frames.length).toBeGreaterThan(0);
  });

  test('attends while its agent reports that it listens, whatever others send', async () => {
    const attended: boolean[] = [];
    const { room, agent } = await openRoom({
      onAttend: (isListening) => attended.push(isListening),
    });
    const stranger = await joinStranger(room);

    await stranger.room.localParticipant!.setAttributes({ 'lk.agent.state': 'listening' });
    for (const state of ['speaking', 'listening', 'thinking'])
      await agent.room.localParticipant!.setAttributes({ 'lk.agent.state': state });
    await until(() => attended.length === 3);

    expect(attended).toEqual([false, true, false]);
  });

  test('ignores unknown packets and RPCs', async () => {
    const { agent } = await openRoom({ signals: [BYE] });
    const local = agent.room.localParticipant!;
    const finished = agent.nextFinished();

    await local.publishData(Buffer.from('{"type":"HELLO"}'), { reliable: true, topic: 'app' });
    await local.publishData(Uint8Array.of(0, 255), { reliable: false });
    const answer = local.performRpc({
      destinationIdentity: AVATAR,
      method: 'swapAvatar',
      payload: '{"avatar_id":"av_1"}',
    });

    await expect(answer).rejects.toMatchObject({ code: 1400 });
    await agent.say(babble(RATE, 300), RATE);
    expect(await finished).toMatchObject({ playback_position: expect.closeTo(0.3, 2) });
  });

  test('ends when its agent, and only its agent, sends the end packet', async () => {
    const { room, agent, session } = await openRoom({ signals: [BYE] });
    const stranger = await joinStranger(room);
    const bye = Buffer.from('{"type":"BYE"}');
    const to = { reliable: true, destination_identities: [AVATAR] };

    await stranger.room.localParticipant!.publishData(bye, to);
    const finished = agent.nextFinished();
    await agent.say(babble(RATE, 300), RATE);
    await finished;
    await agent.room.localParticipant!.publishData(bye, to);

    expect(await session.ended).toBe('ended_by_client');
  });

  test('reports the start of each segment once to an agent that asks for it', async () => {
    const { agent } = await openRoom();
    const texts: string[] = [];
    agent.room.localParticipant!.registerRpcMethod('lk.playback_started', async () => {
      texts.push('started');
      return '';
    });

    for (const ms of [300, 1_500]) {
      const finished = agent.nextFinished();
      await agent.say(babble(RATE, ms), RATE);
      await finished;
      texts.push('finished');
    }

    expect(texts).toEqual(['started', 'finished', 'started', 'finished']);
  });

  test('accepts streams of any sample rate', async () => {
    const { agent } = await openRoom();
    const positions: number[] = [];

    for (const rate of [8_000, 16_000, 22_050, 24_000, 44_100, 48_000]) {
      const finished = agent.nextFinished();
      await agent.say(babble(rate, 400), rate);
      positions.push((await finished).playback_position);
    }

    for (const position of positions) expect(position).toBeCloseTo(0.4, 2);
  });

  test('rejoins with the token that the media server refreshed', async () => {
    const renewed = Promise.withResolvers<string>();
    const { agent, session } = await openRoom({ ttl: 60, onRenewed: renewed.resolve });

    const newer = await renewed.promise;
    await session.close();
    const successor = rooms.perform(newer);
    await successor.started;
    const finished = agent.nextFinished();
    await agent.say(babble(RATE, 300), RATE);

    expect(await finished).toMatchObject({ playback_position: expect.closeTo(0.3, 2) });
  });

  test('first reports to its agent after a takeover what was heard, and takes only its streams', async () => {
    const { agent, viewer } = await openRoom({ unanswered: [1.5] });
    const reports = agent.finished.map((event) => [event.playback_position, event.interrupted]);
    const finished = agent.nextFinished();

    await agent.openMouth();
    await (
      await agent.sayPlainly(babble(48_000, 1_000))
    ).completion;
    const peaks = viewer.recording.sound.map(({ peak }) => peak);
    await agent.say(babble(RATE, 300), RATE);

    expect(reports).toEqual([
      [1.5, true],
      [0, true],
    ]);
    expect(Math.max(...peaks)).toBeLessThan(400);
    expect(await finished).toMatchObject({
      playback_position: expect.closeTo(0.3, 2),
      interrupted: false,
    });
  });

  test('follows the first agent when its token names none', async () => {
    const { agent } = await openRoom({ behalf: null });
    const finished = agent.nextFinished();

    await agent.say(babble(RATE, 200), RATE);

    expect(await finished).toMatchObject({ interrupted: false });
  });

  test('leaves when the agent leaves', async () => {
    const { agent, session } = await openRoom();

    await agent.leave();

    expect(await session.ended).toBe('agent_left');
  });

  test('ends as removed, room_closed or replaced, as the media server reports', async () => {
    const removed = await openRoom();
    const deleted = await openRoom();
    const replaced = await openRoom();

    await rooms.admin.removeParticipant(removed.room, AVATAR);
    await rooms.admin.deleteRoom(deleted.room);
    rooms.perform(await rooms.token(replaced.room, AVATAR, { kind: 'agent', behalf: 'agent' }));

    expect(await removed.session.ended).toBe('removed');
    expect(await deleted.session.ended).toBe('room_closed');
    expect(await replaced.session.ended).toBe('replaced');
  });

  test('ends as room_refused or token_expired when it is refused', async () => {
    const room = newName('room');
    const forged = rooms.perform(
      await roomToken({ ...rooms.server, apiSecret: 'x'.repeat(40) }, room, AVATAR),
    );
    const late = rooms.perform(await rooms.token(room, AVATAR, { ttl: -3600 }));

    expect(await forged.ended).toBe('room_refused');
    expect(forged.endDetail).toBe(`${new URL(rooms.server.url).host} refused the token`);
    expect(await late.ended).toBe('token_expired');
  });

  test('reuses the tracks of a session that the media server ended', async () => {
    const firstRoom = await openRoom();
    await firstRoom.session.started;
    await rooms.admin.deleteRoom(firstRoom.room);
    await firstRoom.session.ended;
    await firstRoom.session.close();
    await shelfClock.pass(60_000);
    const createTrack = vi.spyOn(LocalVideoTrack, 'createVideoTrack');

    const { agent, viewer, session } = await openRoom();
    await session.started;
    const finished = agent.nextFinished();
    const onset = viewer.untilLoud();
    await agent.say(babble(RATE, 1000), RATE);
    await onset;

    expect(await finished).toMatchObject({ playback_position: expect.closeTo(1, 2) });
    expect(createTrack).not.toHaveBeenCalled();
    createTrack.mockRestore();
  });

  test('leaves nothing in the process, however it ends', async () => {
    // oxlint-disable-next-line no-underscore-dangle -- the SDK's own name for it
    const sdk = (globalThis as { _ffiClientInstance?: NodeJS.EventEmitter })._ffiClientInstance!;
    const listenersBefore = sdk.listenerCount('ffi_event');
    const { agent, viewer, session, room } = await openRoom();

    await rooms.admin.removeParticipant(room, AVATAR);
    await session.ended;
    await session.close();
    await viewer.leave();
    await agent.leave();

    await until(() => sdk.listenerCount('ffi_event') <= listenersBefore);
  });

  test('receives events from the engine, but not its log', async () => {
    // oxlint-disable-next-line no-underscore-dangle -- the SDK's own name for it
    const sdk = (globalThis as { _ffiClientInstance?: NodeJS.EventEmitter })._ffiClientInstance!;
    const received = new Set<string>();
    const listen = ({ message }: { message: { case: string } }) => void received.add(message.case);
    sdk.on('ffi_event', listen);
    onTestFinished(() => void sdk.off('ffi_event', listen));

    await openRoom();

    expect(received).toContain('roomEvent');
    expect(received).not.toContain('logs');
  });
});
