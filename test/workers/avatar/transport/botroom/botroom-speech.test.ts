import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { BotroomSpeech } from '../../../../../workers/avatar/transport/botroom/botroom-speech.ts';
import { MemoryRelay } from '../../../../support/picture/memory-relay.ts';
import { pcm, tone } from '../../../../support/sound/pcm.ts';
import { TestClock } from '../../../../support/test-clock.ts';

let clock: TestClock;
let relay: MemoryRelay;
let speech: BotroomSpeech;
let story: unknown[];

beforeEach(async () => {
  clock = new TestClock();
  relay = new MemoryRelay(clock);
  story = [];
  speech = new BotroomSpeech({
    address: { controlUrl: 'http://control.test', path: '/v1/botrooms/b', token: 't', epoch: 1 },
    dial: relay.dial,
    clock,
    log: createLog({ name: 'test', level: 'silent' }),
  });
  await speech.open({
    begin: (stream, format) => story.push(['begin', stream, format]),
    chunk: (_stream, { length }) => story.push(['chunk', length]),
    end: () => story.push('end'),
    clear: () => story.push('clear'),
    listens: () => {},
    present: (isHere) => story.push(['present', isHere]),
  });
});
afterEach(async () => {
  await speech.close();
  expect(clock.waiting).toBe(0);
});

const recordsSent = () => relay.received.map(({ type, header }) => [type, header]);

test('a botroom is a source of speech for an avatar that is shown elsewhere', async () => {
  speech.shown('mira');
  relay.say('audio', { sample_rate: 16_000, num_channels: 1 }, pcm(tone(16_000, 40)));
  relay.say('flush');
  relay.say('interrupt');
  speech.playbackStarted();
  relay.say('close');

  expect(await speech.ended).toBe('ended_by_client');
  expect(story).toEqual([
    ['present', true],
    ['begin', 'utterance 1', { sampleRate: 16_000, channels: 1 }],
    ['chunk', 1280],
    'end',
    'clear',
  ]);
  expect(recordsSent()).toEqual([
    ['ready', { participant: 'mira' }],
    ['playback', { event: 'started' }],
  ]);
});

test('a relay that was started again learns that the avatar is shown, then what was played', async () => {
  speech.shown('mira');
  speech.playbackStarted();
  relay.socket.end();
  relay.received.length = 0;

  speech.playbackFinished({ positionSeconds: 1.5, interrupted: false });
  await clock.pass(1_000);

  expect(recordsSent()).toEqual([
    ['ready', { participant: 'mira' }],
    ['playback', { event: 'finished', position_ms: 1_500, interrupted: false }],
  ]);
});
