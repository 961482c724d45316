import { AccessToken } from 'livekit-server-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { newName } from '#shared/ids.ts';
import { createLog } from '#shared/log.ts';
import { Assignment } from '../../workers/avatar/assignment.ts';
import { MediaServerTransport } from '../../workers/avatar/transport/mediaserver.ts';
import { TrackShelf } from '../../workers/avatar/transport/track-shelf.ts';
import { Agent } from '../bench/rooms/agent.ts';
import { startMediaServer, type RunningMediaServer } from '../support/processes/media-server.ts';
import { MemoryPerformer } from '../support/picture/memory-performer.ts';
import { risingTone } from '../support/sound/rising-tone.ts';
import { SignalProxy } from '../support/processes/signal-proxy.ts';
import { until } from '../support/until.ts';
import { leave } from '../support/leave.ts';

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

function token(room: string, identity: string, behalf?: string): Promise<string> {
  const made = new AccessToken(server.apiKey, server.apiSecret, {
    identity,
    ...(behalf && { attributes: { 'lk.publish_on_behalf': behalf } }),
  });
  made.addGrant({ roomJoin: true, room });
  made.kind = 'agent';
  return made.toJwt();
}

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
        room: { url: proxy.url, token: await token(room, AVATAR, 'agent') },
        avatarId: 'nora',
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
    const lost = agent.nextFinished();
    const { sent } = await agent.say(risingTone(RATE, 1), RATE);
    await sent;
    beginAnew();
    expect(await lost).toMatchObject({ playback_position: 0, interrupted: true });

    // Answered once the avatar has received the reply to its own RPC.
    await agent.clear();
    const next = agent.nextFinished();
    await agent.say(risingTone(RATE, 1), RATE);
    const { playback_position, interrupted } = await next;
    expect(interrupted).toBe(false);
    expect(playback_position).toBeCloseTo(1, 2);
  });
});
