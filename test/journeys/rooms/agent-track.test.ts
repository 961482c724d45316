import { SimulateScenarioKind } from '@livekit/rtc-node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newName } from '#shared/ids.ts';
import { babble, bytesOf } from '../../bench/rooms/speech.ts';
import { PerformedRooms } from '../../stage/performed-room.ts';
import { PlainAgent } from '../../support/agents/plain-agent.ts';
import { risingTone } from '../../support/sound/rising-tone.ts';
import { AvatarViewer } from '../../support/picture/avatar-viewer.ts';

const AVATAR = 'troupe-avatar';
const RATE = 48_000;

let rooms: PerformedRooms;
beforeAll(async () => {
  rooms = await PerformedRooms.open();
});
afterEach(() => rooms.empty());
afterAll(() => rooms?.close());

/** An agent without a track, its avatar, and a viewer of the avatar. */
async function openRoom() {
  const room = newName('room');
  const agent = await rooms.join(
    new PlainAgent(),
    await rooms.token(room, 'agent', { kind: 'agent' }),
  );
  rooms.perform(await rooms.token(room, AVATAR, { kind: 'agent', behalf: 'agent' }));
  const viewer = await rooms.join(new AvatarViewer(AVATAR), await rooms.token(room, 'viewer'));
  await viewer.sees(25);
  return { room, agent, viewer };
}

/** Waits until the end of the agent's speech was heard. */
async function isHeard({ agent, viewer }: { agent: PlainAgent; viewer: AvatarViewer }) {
  viewer.forget();
  await agent.say(risingTone(RATE, 1));
  await viewer.hears(0.9);
}

describe('an agent that publishes only an audio track', () => {
  test('is repeated in full with a moving mouth and gets no RPCs; its streams silence its track', async () => {
    const { agent, viewer } = await openRoom();
    await agent.publishToListener();
    await viewer.sees(25);
    const still = viewer.mouthMoves;

    await agent.say(babble(RATE, 3000));
    const moving = viewer.mouthMoves - still;
    await viewer.hearsNothingFor(0.5);
    viewer.forget();
    await agent.say(risingTone(RATE, 3));
    await viewer.hears(2.9);
    await viewer.hearsNothingFor(0.5);
    const byTrack = viewer.utterances.length;

    expect(still).toBeLessThan(5);
    expect(moving).toBeGreaterThan(20);
    expect(byTrack).toBe(1);
    expect(agent.calls).toEqual([]);

    viewer.forget();
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
    await viewer.hears(1.9);
    await beside;
    await viewer.hearsNothingFor(0.5);
    await agent.say(risingTone(RATE, 1));
    await viewer.hearsNothingFor(1);

    expect(viewer.utterances).toHaveLength(1);
    expect(agent.calls).toEqual(['lk.playback_started', 'lk.playback_finished']);
  });

  test('is repeated again after a mute, another track and a reconnect', async () => {
    const { room, agent, viewer } = await openRoom();
    const { sid } = await agent.publishToListener();
    await isHeard({ agent, viewer });

    await rooms.admin.mutePublishedTrack(room, 'agent', sid!, true);
    await viewer.hearsNothingFor(0.3);
    await agent.unpublish();
    await agent.publishToListener();
    await isHeard({ agent, viewer });
    await agent.room.simulateScenario(SimulateScenarioKind.SIMULATE_FULL_RECONNECT);
    await viewer.sees(50);
    await isHeard({ agent, viewer });
  });

  test('is the only participant that is repeated', async () => {
    const { room, viewer } = await openRoom();
    const stranger = await rooms.join(
      new PlainAgent(),
      await rooms.token(room, 'stranger', { kind: 'agent' }),
    );

    await stranger.publish();
    await stranger.say(risingTone(RATE, 1));
    await viewer.hearsNothingFor(0.5);

    expect(viewer.lastHeard()).toBeNull();
  });
});
