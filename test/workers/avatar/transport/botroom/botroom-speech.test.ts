import { expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { BotroomSpeech } from '../../../../../workers/avatar/transport/botroom/botroom-speech.ts';
import { MemoryRelay } from '../../../../support/picture/memory-relay.ts';
import { pcm, tone } from '../../../../support/sound/pcm.ts';
import { TestClock } from '../../../../support/test-clock.ts';

test('a botroom is a source of speech for an avatar that is shown elsewhere', async () => {
  const clock = new TestClock();
  const relay = new MemoryRelay(clock);
  const story: unknown[] = [];
  const speech = new BotroomSpeech({
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
  speech.shown('nora');
  relay.say('audio', { sample_rate: 16_000, num_channels: 1 }, pcm(tone(16_000, 40)));
  relay.say('flush');
  relay.say('interrupt');
  speech.playbackStarted();
  relay.say('close');

  expect(await speech.left).toBe('ended_by_client');
  await speech.close();
  expect(story).toEqual([
    ['present', true],
    ['begin', 'utterance 1', { sampleRate: 16_000, channels: 1 }],
    ['chunk', 1280],
    'end',
    'clear',
  ]);
  expect(relay.received.map(({ type, header }) => [type, header])).toEqual([
    ['ready', { participant: 'nora' }],
    ['playback', { event: 'started' }],
  ]);
  expect(clock.waiting).toBe(0);
});
