import { SimulateScenarioKind } from '@livekit/rtc-node';
import { AccessToken, RoomServiceClient } from 'livekit-server-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { newName } from '#shared/ids.ts';
import { createLog } from '#shared/log.ts';
import { Assignment } from '../../workers/avatar/assignment.ts';
import { BuiltInAvatars } from '../../workers/avatar/built-in-avatars.ts';
import { MediaServerTransport } from '../../workers/avatar/transport/mediaserver.ts';
import { TrackShelf } from '../../workers/avatar/transport/track-shelf.ts';
import { babble, bytesOf } from '../bench/rooms/speech.ts';
import { HostWatch } from '../support/processes/host-watch.ts';
import { startMediaServer, type RunningMediaServer } from '../support/processes/media-server.ts';
import { PlainAgent } from '../support/agents/plain-agent.ts';
import { risingTone } from '../support/sound/rising-tone.ts';
import { HEARD_WITHIN_S, Witness } from '../support/picture/witness.ts';

const AVATAR = 'troupe-avatar';
const RATE = 48_000;

let server: RunningMediaServer;
let faces: BuiltInAvatars;
const tracks = new TrackShelf(systemClock);
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

/** An agent without a track, its avatar, and a viewer of the avatar. */
async function given() {
  const room = newName('room');
  const agent = new PlainAgent();
  await agent.join(server.url, await token(room, 'agent'));
  leaving.push(() => agent.leave());
  const log = createLog({ name: 'test', level: 'silent' });
  const clock = systemClock;
  const session = new Assignment(
    {
      type: 'assign',
      placement: { sessionId: newName('session'), epoch: 1 },
      transport: 'mediaserver',
      room: { url: server.url, token: await token(room, AVATAR, 'agent') },
      avatarId: faces.ids[0]!,
      video: { width: 512, height: 512, fps: 25 },
    },
    {
      clock,
      log,
      openTransport: (assign) => new MediaServerTransport({ ...assign, tracks, clock, log }),
      openPerformer: ({ avatarId, placement }) => faces.performer(avatarId, placement.sessionId),
    },
  );
  leaving.push(() => session.close());
  const witness = new Witness(AVATAR);
  await witness.join(server.url, await token(room, 'viewer'));
  leaving.push(() => witness.leave());
  await witness.sees(25);
  return { room, agent, witness };
}

/** Waits until all of the agent's speech was heard. */
async function isHeard({ agent, witness }: { agent: PlainAgent; witness: Witness }, seconds = 1) {
  witness.forget();
  await agent.say(risingTone(RATE, seconds));
  await witness.hears(seconds - 0.1);
}

describe('an agent that publishes only an audio track', () => {
  test('is repeated in full with a moving mouth and gets no RPCs; its streams silence its track', async (context) => {
    const host = new HostWatch(context);
    const { agent, witness } = await given();
    await agent.publishToListener();
    await witness.sees(25);
    const still = witness.mouthMoves;

    await agent.say(babble(RATE, 3000));
    const moving = witness.mouthMoves - still;
    await witness.hearsNothingFor(0.5);
    witness.forget();
    await agent.say(risingTone(RATE, 3));
    await witness.hearsNothingFor(0.5);
    const byTrack = witness.utterances;

    expect(still).toBeLessThan(5);
    expect(moving).toBeGreaterThan(20);
    expect(byTrack).toHaveLength(1);
    expect(agent.calls).toEqual([]);

    witness.forget();
    const stream = await agent.room.localParticipant!.streamBytes({
      name: 'AUDIO_test',
      topic: 'lk.audio_stream',
      attributes: { sample_rate: String(RATE), num_channels: '1' },
      destinationIdentities: [AVATAR],
    });
    // The same with an agent whose track continues during its streams.
    const beside = agent.say(risingTone(RATE, 2));
    await stream.write(bytesOf(risingTone(RATE, 2)));
    await stream.close();
    await witness.hears(1.9);
    await beside;
    await witness.hearsNothingFor(0.5);
    await agent.say(risingTone(RATE, 1));
    await witness.hearsNothingFor(1);

    expect(witness.utterances).toEqual([
      { seconds: expect.closeTo(2, 1), first: expect.closeTo(0, 1), last: expect.closeTo(2, 1) },
    ]);
    expect(agent.calls).toEqual(['lk.playback_started', 'lk.playback_finished']);
    host.judgeTime(() => {
      expect(Math.abs(byTrack[0]!.first)).toBeLessThan(HEARD_WITHIN_S);
      expect(Math.abs(byTrack[0]!.last - 3)).toBeLessThan(HEARD_WITHIN_S);
      // There are two jitter buffers between agent and viewer. Each drops a little of a sound to catch up.
      expect(byTrack[0]!.seconds).toBeGreaterThan(2.85);
      expect(byTrack[0]!.seconds).toBeLessThan(3.1);
    });
  });

  test('is repeated again after a mute, another track and a reconnect', async () => {
    const { room, agent, witness } = await given();
    const { sid } = await agent.publishToListener();
    await isHeard({ agent, witness });
    const admin = new RoomServiceClient(
      server.url.replace('ws', 'http'),
      server.apiKey,
      server.apiSecret,
    );

    await admin.mutePublishedTrack(room, 'agent', sid!, true);
    await witness.hearsNothingFor(0.3);
    await agent.unpublish();
    await agent.publishToListener();
    await isHeard({ agent, witness });
    await agent.room.simulateScenario(SimulateScenarioKind.SIMULATE_FULL_RECONNECT);
    await witness.sees(50);
    await isHeard({ agent, witness });

    expect(witness.lastHeard()).toBeCloseTo(1, 0);
  });

  test('is the only participant that is repeated', async () => {
    const { room, witness } = await given();
    const stranger = new PlainAgent();
    await stranger.join(server.url, await token(room, 'stranger'));
    leaving.push(() => stranger.leave());

    await stranger.publish();
    await stranger.say(risingTone(RATE, 1));
    await witness.hearsNothingFor(0.5);

    expect(witness.lastHeard()).toBeNull();
  });
});
