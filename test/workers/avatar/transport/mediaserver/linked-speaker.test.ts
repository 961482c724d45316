import { RoomEvent, TrackKind, type Room } from '@livekit/rtc-node';
import { describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import { LinkedSpeaker } from '../../../../../workers/avatar/transport/mediaserver/linked-speaker.ts';
import type {
  SpeechLink,
  SpeechListener,
} from '../../../../../workers/avatar/transport/speech-link.ts';
import type { RoomListener } from '../../../../../workers/avatar/transport/transport.ts';
import { FakeSdkRoom } from '../../../../support/sound/fake-sdk-room.ts';
import { settle, TestClock } from '../../../../support/test-clock.ts';

/** Everything that happens, in order. */
type Story = (string | [string, ...unknown[]])[];

class ToldLink implements SpeechLink {
  readonly ended = new Promise<EndReason>(() => {});
  readonly #story: Story;
  listener: SpeechListener | null = null;

  constructor(story: Story) {
    this.#story = story;
  }

  async open(listener: SpeechListener): Promise<void> {
    this.listener = listener;
    listener.present(true);
  }

  shown = (identity: string) => void this.#story.push(['shown', identity]);
  visited = (isVisited: boolean) => void this.#story.push(['visited', isVisited]);
  hear? = (samples: Int16Array) => void this.#story.push(['hear', samples[0]]);
  playbackStarted = () => void this.#story.push('started');
  playbackFinished = () => void this.#story.push('finished');
  released = () => void this.#story.push('released');

  async close(): Promise<void> {
    this.#story.push('closed');
  }
}

function given() {
  const story: Story = [];
  const clock = new TestClock();
  const room = new FakeSdkRoom();
  const link = new ToldLink(story);
  const speaker = new LinkedSpeaker({
    room: Object.assign(room, { localParticipant: { identity: 'mira' } }) as unknown as Room,
    link,
    clock,
    log: createLog({ name: 'test', level: 'silent' }),
    openSound: room.openSound,
  });
  let hasOpen = true;
  const listener = {
    begin: (stream: string) => void story.push(['begin', stream]),
    chunk: (stream: string) => void story.push(['chunk', stream]),
    end: (stream: string) => void story.push(['end', stream]),
    clear: () => void story.push('clear'),
    listens: (isListening: boolean) => void story.push(['listens', isListening]),
    hasOpen: () => hasOpen,
    answered: () => void story.push('answered'),
  } as unknown as RoomListener;
  const onChange = () => void story.push(['here', speaker.isHere]);
  const subscribed = (kind: TrackKind) => void room.emit(RoomEvent.LocalTrackSubscribed, { kind });
  return {
    story,
    clock,
    room,
    subscribed,
    link,
    speaker,
    listener,
    open: () => speaker.open(listener, undefined, onChange),
    fallSilent: () => (hasOpen = false),
  };
}

describe('a speaker by a link', () => {
  test('passes its speech on, and interruptions only while there is some', async () => {
    const { story, link, open, fallSilent } = given();
    await open();
    const { listener } = link;

    listener!.begin('a', { sampleRate: 16_000, channels: 1 });
    listener!.chunk('a', new Uint8Array(2));
    listener!.end('a');
    listener!.listens(true);
    listener!.clear();
    fallSilent();
    listener!.clear();
    listener!.present(false);

    expect(story).toEqual([
      ['here', true],
      ['begin', 'a'],
      ['chunk', 'a'],
      ['end', 'a'],
      ['listens', true],
      'clear',
      ['here', false],
    ]);
  });

  test('is told of the release', async () => {
    const { story, speaker, open } = given();
    await open();
    story.length = 0;

    speaker.released();

    expect(story).toEqual(['released']);
    await speaker.close();
  });

  test('is told when the avatar is shown, what was played, and whether anybody is there', async () => {
    const { story, room, subscribed, speaker, listener, open } = given();
    await open();
    story.length = 0;

    speaker.joined(listener, undefined);
    speaker.published();
    room.comes('visitor');
    speaker.changed();
    subscribed(TrackKind.KIND_AUDIO);
    room.comes('another');
    speaker.changed();
    speaker.playbackStarted();
    speaker.playbackFinished({ positionSeconds: 1, interrupted: false });
    room.goes('visitor');
    room.goes('another');
    speaker.changed();
    await speaker.close();

    expect(story).toEqual([
      ['visited', false],
      ['shown', 'mira'],
      ['visited', true],
      'started',
      'finished',
      ['visited', false],
      'closed',
    ]);
  });

  test('hears a visitor who was there before the avatar, until it is closed', async () => {
    const { story, room, speaker, listener, open } = given();
    room.comes('visitor');
    const microphone = room.publishes('visitor');
    await open();

    speaker.joined(listener, { unanswered: [], byStreams: true });
    await settle();
    room.says(microphone, 7);
    await settle();
    await speaker.close();
    await settle();

    expect(story).toEqual([['here', true], ['visited', false], 'answered', ['hear', 7], 'closed']);
    expect(room.ended).toEqual([microphone.sid]);
  });

  test('is told of a visitor who has subscribed to the sound', async () => {
    const { story, clock, room, subscribed, speaker, listener, open } = given();
    room.comes('visitor');
    await open();
    speaker.joined(listener, undefined);
    speaker.published();
    story.length = 0;

    subscribed(TrackKind.KIND_VIDEO);
    clock.advance(999);
    const earlyStory = [...story];
    subscribed(TrackKind.KIND_AUDIO);

    expect([earlyStory, story]).toEqual([[], [['visited', true]]]);
    expect(clock.waiting).toBe(0);
    await speaker.close();
  });

  test('is told of one who never does, a second after the avatar is shown', async () => {
    const { story, clock, room, speaker, listener, open } = given();
    room.comes('visitor');
    await open();
    speaker.joined(listener, undefined);
    story.length = 0;

    clock.advance(60_000);
    speaker.published();
    room.goes('visitor');
    speaker.changed();
    clock.advance(60_000);
    room.comes('another');
    speaker.changed();
    clock.advance(1_000);

    expect(story).toEqual([
      ['shown', 'mira'],
      ['visited', true],
    ]);
    await speaker.close();
  });

  test('waits for nobody after the end', async () => {
    const { story, clock, room, speaker, listener, open } = given();
    room.comes('visitor');
    await open();
    speaker.joined(listener, undefined);
    speaker.published();
    await speaker.close();
    story.length = 0;

    speaker.changed();

    expect([clock.waiting, story]).toEqual([0, []]);
  });

  test('that hears nobody subscribes to nothing', async () => {
    const { room, link, speaker, listener, open } = given();
    delete link.hear;
    room.comes('visitor');
    const microphone = room.publishes('visitor');
    await open();

    speaker.joined(listener, undefined);
    await settle();

    expect(microphone.subscriptions).toEqual([]);
    await speaker.close();
  });
});
