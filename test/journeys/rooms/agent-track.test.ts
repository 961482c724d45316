import { SimulateScenarioKind } from '@livekit/rtc-node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newName } from '#shared/ids.ts';
import { babble, bytesOf } from '../../bench/rooms/speech.ts';
import { PerformedRooms } from '../../stage/performed-room.ts';
import { PlainAgent } from '../../support/agents/plain-agent.ts';
import { risingTone } from '../../support/sound/rising-tone.ts';
import { Witness } from '../../support/picture/witness.ts';

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
  const witness = await rooms.join(new Witness(AVATAR), await rooms.token(room, 'viewer'));
  await witness.sees(25);
  return { room, agent, witness };
}

/** Waits until the end of the agent's speech was heard. */
async function isHeard({ agent, witness }: { agent: PlainAgent; witness: Witness }) {
  witness.forget();
  await agent.say(risingTone(RATE, 1));
  await witness.hears(0.9);
}

describe('an agent that publishes only an audio track', () => {
  test('is repeated in full with a moving mouth and gets no RPCs; its streams silence its track', async () => {
    const { agent, witness } = await openRoom();
    await agent.publishToListener();
    await witness.sees(25);
    const still = witness.mouthMoves;

    await agent.say(babble(RATE, 3000));
    const moving = witness.mouthMoves - still;
    await witness.hearsNothingFor(0.5);
    witness.forget();
    await agent.say(risingTone(RATE, 3));
    await witness.hears(2.9);
    await witness.hearsNothingFor(0.5);
    const byTrack = witness.utterances.length;

    expect(still).toBeLessThan(5);
    expect(moving).toBeGreaterThan(20);
    expect(byTrack).toBe(1);
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

    expect(witness.utterances).toHaveLength(1);
    expect(agent.calls).toEqual(['lk.playback_started', 'lk.playback_finished']);
  });

  test('is repeated again after a mute, another track and a reconnect', async () => {
    const { room, agent, witness } = await openRoom();
    const { sid } = await agent.publishToListener();
    await isHeard({ agent, witness });

    await rooms.admin.mutePublishedTrack(room, 'agent', sid!, true);
    await witness.hearsNothingFor(0.3);
    await agent.unpublish();
    await agent.publishToListener();
    await isHeard({ agent, witness });
    await agent.room.simulateScenario(SimulateScenarioKind.SIMULATE_FULL_RECONNECT);
    await witness.sees(50);
    await isHeard({ agent, witness });
  });

  test('is the only participant that is repeated', async () => {
    const { room, witness } = await openRoom();
    const stranger = await rooms.join(
      new PlainAgent(),
      await rooms.token(room, 'stranger', { kind: 'agent' }),
    );

    await stranger.publish();
    await stranger.say(risingTone(RATE, 1));
    await witness.hearsNothingFor(0.5);

    expect(witness.lastHeard()).toBeNull();
  });
});
