import { TrackKind } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { newName } from '#shared/ids.ts';
import { createLog } from '#shared/log.ts';
import { Assignment } from '../../workers/avatar/assignment.ts';
import { BuiltInAvatars } from '../../workers/avatar/built-in-avatars.ts';
import { MediaServerTransport } from '../../workers/avatar/transport/mediaserver.ts';
import { TrackShelf } from '../../workers/avatar/transport/track-shelf.ts';
import { Agent } from '../bench/rooms/agent.ts';
import { HostWatch } from '../support/processes/host-watch.ts';
import { startMediaServer, type RunningMediaServer } from '../support/processes/media-server.ts';
import { HEARD_WITHIN_S, Witness } from '../support/picture/witness.ts';
import { risingTone } from '../support/sound/rising-tone.ts';

const AVATAR = 'troupe-avatar';
const RATE = 24_000;

let server: RunningMediaServer;
let faces: BuiltInAvatars;
const leaving: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  [server, faces] = await Promise.all([startMediaServer(), BuiltInAvatars.open()]);
});
afterEach(async () => {
  for (const leave of leaving.splice(0).toReversed()) await leave();
});
afterAll(async () => {
  await faces?.close();
  await server?.stop();
});

function token(room: string, identity: string, behalf?: string): Promise<string> {
  const made = new AccessToken(server.apiKey, server.apiSecret, {
    identity,
    ...(behalf && { attributes: { 'lk.publish_on_behalf': behalf } }),
  });
  made.addGrant({ roomJoin: true, room });
  if (identity !== 'viewer') made.kind = 'agent';
  return made.toJwt();
}

function perform(avatarToken: string): void {
  const clock = systemClock;
  const log = createLog({ name: 'test', level: 'silent' });
  const tracks = new TrackShelf(clock);
  const session = new Assignment(
    {
      type: 'assign',
      placement: { sessionId: newName('session'), epoch: 1 },
      transport: 'mediaserver',
      room: { url: server.url, token: avatarToken },
      avatarId: faces.ids[0]!,
      video: { width: 512, height: 512, fps: 25 },
    },
    {
      clock,
      log,
      openTransport: ({ room, video }) =>
        new MediaServerTransport({ room, video, tracks, clock, log }),
      openPerformer: ({ avatarId, placement }) => faces.performer(avatarId, placement.sessionId),
    },
  );
  leaving.push(() => session.close());
}

test('a viewer who subscribes to the sound after the agent has spoken hears all of it', async (context) => {
  const host = new HostWatch(context);
  const room = newName('room');
  const agent = new Agent(AVATAR);
  const witness = new Witness(AVATAR);
  await agent.join(server.url, await token(room, 'agent'));
  leaving.push(() => agent.leave());
  await witness.join(server.url, await token(room, 'viewer'), false);
  leaving.push(() => witness.leave());
  perform(await token(room, AVATAR, 'agent'));
  await witness.subscribe(TrackKind.KIND_VIDEO);

  const finished = agent.nextFinished();
  await agent.say(risingTone(RATE, 1), RATE);
  await witness.sees(3);
  await witness.subscribe(TrackKind.KIND_AUDIO);
  const { playback_position, interrupted } = await finished;
  await witness.hearsNothingFor(0.5);

  expect({ playback_position, interrupted }).toEqual({ playback_position: 1, interrupted: false });
  const { first, last } = witness.utterances[0]!;
  host.judgeTime(() => {
    expect(Math.abs(first)).toBeLessThan(HEARD_WITHIN_S);
    expect(Math.abs(last - 1)).toBeLessThan(HEARD_WITHIN_S);
  });
});
