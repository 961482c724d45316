import { RoomEvent, TrackKind, TrackSource, type Room } from '@livekit/rtc-node';
import { describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { VoiceTrack } from '../../../../../workers/avatar/transport/mediaserver/voice-track.ts';
import { FakeSdkRoom } from '../../../../support/sound/fake-sdk-room.ts';
import { settle, TestClock } from '../../../../support/test-clock.ts';

function given() {
  const clock = new TestClock();
  const room = new FakeSdkRoom();
  const heardSamples: (number | 'over')[] = [];
  const track = new VoiceTrack({
    room: room as unknown as Room,
    clock,
    log: createLog({ name: 'test', level: 'silent' }),
    listener: {
      voice: (samples) => heardSamples.push(samples[0]!),
      voiceEnded: () => heardSamples.push('over'),
    },
    openSound: room.openSound,
  });
  return { clock, room, heardSamples, track };
}

async function withAgent() {
  const stage = given();
  stage.room.comes('agent');
  stage.track.follow('agent');
  await settle();
  return stage;
}

describe('voice track', () => {
  test('is read, whether published before or after we join', async () => {
    const { room, track, heardSamples } = given();
    room.comes('agent');
    const early = room.publishes('agent');

    track.follow('agent');
    await settle();
    room.says(early, 1);
    await settle();

    const later = await withAgent();
    const late = later.room.publishes('agent');
    await settle();
    later.room.says(late, 2);
    await settle();
    expect(heardSamples).toEqual([1]);
    expect(later.heardSamples).toEqual([2]);
  });

  test('is the only subscription, before and after the agent is known', async () => {
    const { room, track } = given();
    room.comes('user');
    const voice = room.publishes('user');
    room.comes('agent');

    track.follow('agent');
    const video = room.publishes('agent', { kind: TrackKind.KIND_VIDEO });
    const ambience = room.publishes('agent', {
      source: TrackSource.SOURCE_UNKNOWN,
      name: 'background_audio',
    });
    const screen = room.publishes('agent', { source: TrackSource.SOURCE_SCREENSHARE_AUDIO });
    await settle();

    expect([voice, video, ambience, screen].flatMap(({ subscriptions }) => subscriptions)).toEqual(
      [],
    );
  });

  test('may be gone before it is opened; the next one is read', async () => {
    const { room, heardSamples } = await withAgent();
    const lostTrack = room.publishes('agent');
    room.removedTracks.add(lostTrack.sid);
    await settle();
    room.unpublishes('agent', lostTrack);

    const nextTrack = room.publishes('agent');
    await settle();
    room.says(nextTrack, 1);
    await settle();

    expect(heardSamples).toEqual([1]);
  });

  test('is read for a short time after a mute, and again after an unmute', async () => {
    const { clock, room, heardSamples } = await withAgent();
    const voice = room.publishes('agent');
    await settle();

    room.mutes(voice, true);
    room.says(voice, 1);
    await clock.pass(300);
    const whenMuted = [...heardSamples];
    const isRead = room.sounds.has(voice.sid);
    room.mutes(voice, false);
    await settle();
    room.says(voice, 2);
    await settle();

    expect(whenMuted).toEqual([1, 'over']);
    expect(isRead).toBe(false);
    expect(heardSamples).toEqual([1, 'over', 2]);
    expect(voice.subscriptions).toEqual([true]);
    expect(clock.waiting).toBe(0);
  });

  test('is not interrupted by a short mute', async () => {
    const { clock, room, heardSamples } = await withAgent();
    const voice = room.publishes('agent');
    await settle();

    room.mutes(voice, true);
    await clock.pass(100);
    room.mutes(voice, false);
    await clock.pass(1000);
    room.says(voice, 1);
    await settle();

    expect(heardSamples).toEqual([1]);
  });

  test('is read once unmuted if it was published muted', async () => {
    const { room, heardSamples } = await withAgent();
    const voice = room.publishes('agent', { muted: true });
    await settle();
    const isRead = room.sounds.has(voice.sid);

    room.mutes(voice, false);
    await settle();
    room.says(voice, 1);
    await settle();

    expect(isRead).toBe(false);
    expect(heardSamples).toEqual([1]);
  });

  test('ends when unpublished; the next one is read', async () => {
    const { room, heardSamples } = await withAgent();
    const firstTrack = room.publishes('agent');
    await settle();

    room.unpublishes('agent', firstTrack);
    const second = room.publishes('agent');
    await settle();
    room.says(second, 2);
    await settle();

    expect(heardSamples).toEqual(['over', 2]);
    expect(firstTrack.subscriptions).toEqual([true]);
    expect(room.ended).toEqual([firstTrack.sid]);
    expect(room.closed).toEqual([firstTrack.sid]);
  });

  test('is the first of two, or the second while the first is muted, never both', async () => {
    const { room, heardSamples } = await withAgent();
    const firstTrack = room.publishes('agent');
    const second = room.publishes('agent');
    await settle();
    const atFirst = [...room.sounds.keys()];

    room.mutes(firstTrack, true);
    await settle();
    room.says(second, 2);
    await settle();

    expect(atFirst).toEqual([firstTrack.sid]);
    expect([...room.sounds.keys()]).toEqual([second.sid]);
    expect(firstTrack.subscriptions).toEqual([true, false]);
    expect(heardSamples).toEqual(['over', 2]);
  });

  test('is a microphone rather than a track of unknown source', async () => {
    const { room } = await withAgent();
    const plain = room.publishes('agent', { source: TrackSource.SOURCE_UNKNOWN });
    await settle();
    const alone = [...room.sounds.keys()];

    const microphone = room.publishes('agent');
    await settle();

    expect(alone).toEqual([plain.sid]);
    expect([...room.sounds.keys()]).toEqual([microphone.sid]);
  });

  test('ends when the agent leaves, and is read again when it returns with a new track', async () => {
    const { room, heardSamples } = await withAgent();
    const oldTrack = room.publishes('agent');
    await settle();

    room.goes('agent');
    const whenGone = [...room.sounds.keys()];
    room.comes('agent');
    const newTrack = room.publishes('agent');
    await settle();
    room.says(newTrack, 2);
    await settle();

    expect(whenGone).toEqual([]);
    expect(heardSamples).toEqual(['over', 2]);
    expect(oldTrack.subscriptions).toEqual([true]);
  });

  test('is subscribed again after a reconnect with new publications', async () => {
    const { room, heardSamples } = await withAgent();
    room.publishes('agent');
    await settle();

    const publications = room.remoteParticipants.get('agent')!.trackPublications;
    publications.clear();
    const anew = room.publishes('agent');
    room.emit(RoomEvent.Reconnected);
    await settle();
    room.says(anew, 1);
    await settle();

    expect(heardSamples).toEqual(['over', 1]);
    expect(anew.subscriptions).toEqual([true]);
  });

  test('is never read again once given up, whatever is published', async () => {
    const { room, heardSamples, track } = await withAgent();
    const voice = room.publishes('agent');
    await settle();

    track.giveUp();
    await settle();
    const later = room.publishes('agent');
    await settle();

    expect(heardSamples).toEqual(['over']);
    expect(voice.subscriptions).toEqual([true, false]);
    expect(later.subscriptions).toEqual([]);
    expect(room.sounds.size).toBe(0);
    expect(room.closed).toEqual([voice.sid]);
  });

  test('leaves no timer when given up while muted', async () => {
    const { clock, room, track } = await withAgent();
    const voice = room.publishes('agent');
    await settle();

    room.mutes(voice, true);
    track.giveUp();

    expect(clock.waiting).toBe(0);
  });
});
