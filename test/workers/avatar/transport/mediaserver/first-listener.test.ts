import { RoomEvent, TrackKind, type Room } from '@livekit/rtc-node';
import { describe, expect, test } from 'vitest';
import { FirstListener } from '../../../../../workers/avatar/transport/mediaserver/first-listener.ts';
import { FakeSdkRoom } from '../../../../support/sound/fake-sdk-room.ts';
import { settle, TestClock } from '../../../../support/test-clock.ts';

function given(participants: string[]) {
  const clock = new TestClock();
  const room = new FakeSdkRoom();
  for (const identity of participants) room.comes(identity);
  const listener = new FirstListener(room as unknown as Room, clock);
  let audibleAt: number | null = null;
  void listener.audible.then(() => (audibleAt = clock.elapsed()));
  const subscribed = (kind: TrackKind) => void room.emit(RoomEvent.LocalTrackSubscribed, { kind });
  const pass = async (ms: number) => {
    clock.advance(ms);
    await settle();
  };
  return { clock, listener, subscribed, pass, audibleAt: () => audibleAt };
}

describe('the first listener', () => {
  test('subscribes to the sound; the picture does not count', async () => {
    const { clock, listener, subscribed, pass, audibleAt } = given(['viewer']);
    listener.published(1);
    subscribed(TrackKind.KIND_VIDEO);
    await pass(300);
    const earlyAt = audibleAt();

    subscribed(TrackKind.KIND_AUDIO);
    await pass(0);

    expect(earlyAt).toBeNull();
    expect(audibleAt()).toBe(clock.elapsed());
    expect(clock.waiting).toBe(0);
  });

  test('has a little more time beside an agent, which may have subscribed before', async () => {
    const { clock, listener, subscribed, pass, audibleAt } = given(['agent', 'viewer']);
    const from = clock.elapsed();
    subscribed(TrackKind.KIND_AUDIO);
    listener.published(1);
    await pass(50);
    subscribed(TrackKind.KIND_AUDIO);
    await pass(49);
    const earlyAt = audibleAt();
    await pass(1);

    expect(earlyAt).toBeNull();
    expect(audibleAt()).toBe(from + 100);
    expect(clock.waiting).toBe(0);
  });

  test('is not waited for longer than a second', async () => {
    const { clock, listener, pass, audibleAt } = given(['agent', 'viewer']);
    const from = clock.elapsed();
    listener.published(1);
    await pass(999);
    const earlyAt = audibleAt();
    await pass(1);

    expect(earlyAt).toBeNull();
    expect(audibleAt()).toBe(from + 1_000);
  });

  test('is not waited for where nobody listens', async () => {
    const { clock, listener, pass, audibleAt } = given(['agent']);
    const from = clock.elapsed();
    listener.published(0);
    await pass(0);

    expect(audibleAt()).toBe(from);
  });

  test.each(['before', 'after'])('leaves no timer when closed %s a subscription', async (when) => {
    const { clock, listener, subscribed } = given(['agent', 'viewer']);
    listener.published(1);
    if (when === 'after') subscribed(TrackKind.KIND_AUDIO);
    listener.close();
    if (when === 'before') subscribed(TrackKind.KIND_AUDIO);

    expect(clock.waiting).toBe(0);
  });
});
