import { ParticipantKind, TrackSource, type Room } from '@livekit/rtc-node';
import { describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { VisitorTrack } from '../../../../../workers/avatar/transport/mediaserver/visitor-track.ts';
import { FakeSdkRoom, type Publication } from '../../../../support/sound/fake-sdk-room.ts';
import { settle, TestClock } from '../../../../support/test-clock.ts';

function given() {
  const room = new FakeSdkRoom();
  const heardSamples: number[] = [];
  const visitor = new VisitorTrack({
    room: room as unknown as Room,
    clock: new TestClock(),
    log: createLog({ name: 'test', level: 'silent' }),
    hear: (samples) => heardSamples.push(samples[0]!),
    openSound: room.openSound,
  });
  const says = async (publication: Publication, sample: number) => {
    room.says(publication, sample);
    await settle();
  };
  const publishes = async (identity: string, traits?: Partial<Publication>) => {
    const publication = room.publishes(identity, traits);
    await settle();
    return publication;
  };
  return { room, heardSamples, visitor, says, publishes };
}

describe('visitor track', () => {
  test('is the microphone of the first participant that has one', async () => {
    const { room, heardSamples, says, publishes } = given();
    room.comes('listener');
    room.comes('first');
    room.comes('second');

    const firstTrack = await publishes('first');
    const second = await publishes('second');
    await says(firstTrack, 1);
    await says(second, 2);

    expect(heardSamples).toEqual([1]);
    expect(room.rates).toEqual([16_000]);
    expect(second.subscriptions).toEqual([]);
  });

  test('is not the voice of an agent, nor a shared screen', async () => {
    const { room, heardSamples, says, publishes } = given();
    room.comes('agent', ParticipantKind.AGENT);
    room.comes('guest');

    await says(await publishes('agent'), 1);
    await says(await publishes('guest', { source: TrackSource.SOURCE_SCREENSHARE_AUDIO }), 2);

    expect(heardSamples).toEqual([]);
  });

  test('is silent while the microphone is muted, which keeps the place', async () => {
    const { room, heardSamples, says, publishes } = given();
    room.comes('first');
    room.comes('second');
    const firstTrack = await publishes('first');
    const second = await publishes('second');

    room.mutes(firstTrack, true);
    await settle();
    await says(second, 2);
    room.mutes(firstTrack, false);
    await settle();
    await says(firstTrack, 1);

    expect(heardSamples).toEqual([1]);
  });

  test('passes to the next participant with a microphone', async () => {
    const { room, heardSamples, says, publishes } = given();
    room.comes('first');
    room.comes('second');
    const firstTrack = await publishes('first');
    const second = await publishes('second');

    room.unpublishes('first', firstTrack);
    await settle();
    await says(second, 2);
    room.goes('second');
    const repeatedTrack = await publishes('first');
    await says(repeatedTrack, 3);

    expect(heardSamples).toEqual([2, 3]);
  });

  test('is not read after the end', async () => {
    const { room, heardSamples, visitor, says, publishes } = given();
    room.comes('first');
    const firstTrack = await publishes('first');

    visitor.close();
    await says(firstTrack, 1);
    room.comes('second');
    await publishes('second');

    expect(heardSamples).toEqual([]);
    expect(room.ended).toEqual([firstTrack.sid]);
  });
});
