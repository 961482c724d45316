import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { newName } from '#shared/ids.ts';
import { createLog } from '#shared/log.ts';
import { Assignment } from '../../../workers/avatar/assignment.ts';
import { MediaServerTransport } from '../../../workers/avatar/transport/mediaserver/mediaserver.ts';
import { RoomRelay } from '../../../workers/avatar/transport/mediaserver/room-relay.ts';
import { TracksNotTaken, type RoomListener } from '../../../workers/avatar/transport/transport.ts';
import { TrackShelf } from '../../../workers/avatar/transport/track-shelf.ts';
import { Agent } from '../../bench/rooms/agent.ts';
import { roomToken, type Seat } from '../../stage/room-token.ts';
import { startMediaServer, type RunningMediaServer } from '../../support/processes/media-server.ts';
import { MemoryPerformer } from '../../support/picture/memory-performer.ts';
import { risingTone } from '../../support/sound/rising-tone.ts';
import { SignalProxy } from '../../support/processes/proxies/signal-proxy.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';
import { leave } from '../../support/leave.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

const deafListener: RoomListener = {
  begin() {},
  chunk() {},
  end() {},
  voice() {},
  voiceEnded() {},
  clear() {},
  hasOpen: () => false,
  renewed() {},
  packet() {},
  listens() {},
  present() {},
  answered() {},
};

const AVATAR = 'troupe-avatar';
const RATE = 24_000;

let server: RunningMediaServer;
let proxy: SignalProxy;
const tracks = new TrackShelf(systemClock);
const leaving: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  server = await startMediaServer();
  proxy = await SignalProxy.open(server.url);
});
afterEach(async () => {
  for (const leave of leaving.splice(0).toReversed()) await leave();
});
afterAll(async () => {
  proxy?.close();
  await server?.stop();
});

const token = (room: string, identity: string, seat: Seat = {}): Promise<string> =>
  roomToken(server, room, identity, { kind: 'agent', ...seat });

describe('an avatar that must reconnect to its room', () => {
  test('reports the lost speech and speaks what follows', async () => {
    const room = newName('room');
    const agent = new Agent(AVATAR);
    await agent.join(server.url, await token(room, 'agent'));
    leaving.push(() => leave(agent.room));
    const log = createLog({ name: 'test', level: 'silent' });
    const session = new Assignment(
      {
        type: 'assign',
        placement: { sessionId: newName('session'), epoch: 1 },
        transport: 'mediaserver',
        room: { url: proxy.url, token: await token(room, AVATAR, { behalf: 'agent' }) },
        avatarId: FIRST_AVATAR.alias,
        video: { width: 64, height: 64, fps: 25 },
      },
      {
        clock: systemClock,
        log,
        openTransport: ({ room, video }) =>
          new MediaServerTransport({ room, video, tracks, clock: systemClock, log }),
        openPerformer: async () => new MemoryPerformer(),
      },
    );
    leaving.push(() => session.close());
    await session.started;
    await until(() => agent.room.remoteParticipants.has(AVATAR));

    const beginAnew = await proxy.cut();
    const lostReport = agent.nextFinished();
    const { completion } = await agent.say(risingTone(RATE, 1), RATE);
    await completion;
    beginAnew();
    expect(await lostReport).toMatchObject({ playback_position: 0, interrupted: true });

    // Answered once the avatar has received the reply to its own RPC.
    await agent.clear();
    const nextReport = agent.nextFinished();
    await agent.say(risingTone(RATE, 1), RATE);
    const { playback_position, interrupted } = await nextReport;
    expect(interrupted).toBe(false);
    expect(playback_position).toBeCloseTo(1, 2);
  });
});

describe('an avatar whose media server takes no tracks', () => {
  test('gives up, and keeps its tracks from other rooms', async () => {
    const clock = new TestClock();
    const shelf = new TrackShelf(clock);
    const log = createLog({ name: 'test', level: 'silent' });
    const video = { width: 64, height: 64, fps: 25 };
    const room = { url: proxy.url, token: await token(newName('room'), AVATAR) };
    const take = vi.spyOn(shelf, 'take');
    const transport = new MediaServerTransport({ room, video, tracks: shelf, clock, log });
    await transport.join(deafListener);

    const resume = proxy.hold();
    const publishing = transport.publish();
    clock.advance(5_000);
    await expect(publishing).rejects.toThrow(TracksNotTaken);

    const closing = transport.close();
    await clock.pass(5_000);
    await closing;
    resume();
    clock.advance(2_000);
    expect(shelf.take(video)).not.toBe(take.mock.results[0]!.value);
  });

  test('gives up when nothing of them arrives', async () => {
    const clock = new TestClock();
    const log = createLog({ name: 'test', level: 'silent' });
    const video = { width: 64, height: 64, fps: 25 };
    const room = { url: server.url, token: await token(newName('room'), AVATAR) };
    const transport = new MediaServerTransport({ room, video, tracks, clock, log });
    leaving.push(() => transport.close());
    await transport.join(deafListener);
    let problem: unknown;
    transport.ended.catch((error: unknown) => (problem = error));

    await transport.publish();
    await until(() => {
      clock.advance(1_500);
      return problem !== undefined;
    });

    expect(problem).toBeInstanceOf(TracksNotTaken);
  });
});

describe('a media server that falls silent', () => {
  test('keeps no socket of a room that has been left', async () => {
    const log = createLog({ name: 'test', level: 'silent' });
    const clock = new TestClock();
    const relay = await RoomRelay.open({ clock, log });
    for (const [name, value] of Object.entries(relay.environment)) vi.stubEnv(name, value);
    leaving.push(() => relay.close());
    leaving.push(async () => vi.unstubAllEnvs());
    const video = { width: 64, height: 64, fps: 25 };
    const join = async () => {
      const room = { url: proxy.url, token: await token(newName('room'), AVATAR) };
      const parts = { relay, video, tracks, clock, log };
      const transport = new MediaServerTransport({ room, ...parts });
      await transport.join(deafListener);
      return transport;
    };
    const socketsBefore = mediaSockets();
    const rooms = [await join(), await join()];
    expect(mediaSockets()).toBeGreaterThan(socketsBefore);

    const resume = proxy.hold();
    leaving.push(async () => resume());
    const closing = rooms.map((room) => room.close());
    await clock.pass(5_000);
    await Promise.all(closing);
    expect(mediaSockets()).toBeGreaterThan(socketsBefore);
    await clock.pass(120_000);

    await until(() => mediaSockets() <= socketsBefore);
  });
});

/** UDP sockets of this process: only the media engine has some. */
function mediaSockets(): number {
  const lines = ['udp', 'udp6'].flatMap((kind) =>
    readFileSync(`/proc/self/net/${kind}`, 'utf8').trim().split('\n').slice(1),
  );
  const inodes = new Set(lines.map((line) => line.trim().split(/\s+/)[9]));
  return readdirSync('/proc/self/fd').filter((file) => {
    try {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${file}`)) ?? [];
      return inode !== undefined && inodes.has(inode);
    } catch {
      // Closed meanwhile, as is the folder itself.
      return false;
    }
  }).length;
}
