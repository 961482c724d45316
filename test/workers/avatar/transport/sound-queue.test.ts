import type { AudioFrame } from '@livekit/rtc-node';
import { beforeEach, expect, test } from 'vitest';
import { SoundQueue } from '../../../../workers/avatar/transport/sound-queue.ts';
import { settle } from '../../../support/test-clock.ts';

/** Calls to the source, in order: the lengths of pieces, and `clear`. */
let sourceCalls: (number | 'clear')[];
let takenPieces: string[];
let answers: PromiseWithResolvers<void>[];
let queue: SoundQueue;
beforeEach(() => {
  [sourceCalls, takenPieces, answers] = [[], [], []];
  const source = {
    captureFrame: ({ samplesPerChannel }: AudioFrame) => {
      sourceCalls.push(samplesPerChannel);
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      return answer.promise;
    },
    clearQueue: () => void sourceCalls.push('clear'),
  };
  queue = new SoundQueue(source, (error) => takenPieces.push(String(error)));
});

const play = (samples: number) =>
  queue.play(new Int16Array(samples), () => takenPieces.push(`${samples}`));

test('gives one piece at a time', async () => {
  play(480);
  play(960);
  expect(sourceCalls).toEqual([480]);

  answers[0]!.resolve();
  await settle();

  expect(sourceCalls).toEqual([480, 960]);
  expect(takenPieces).toEqual(['480']);
});

test('clears again when the source takes a piece after the clear, before it gives the next', async () => {
  play(480);
  play(960);
  queue.clear();
  play(1440);
  expect(sourceCalls).toEqual([480, 'clear']);

  answers[0]!.resolve();
  await settle();

  expect(sourceCalls).toEqual([480, 'clear', 'clear', 1440]);
  expect(takenPieces).toEqual([]);
});

test('continues after a piece that the source rejects', async () => {
  play(480);
  play(960);

  answers[0]!.reject(new Error('refused'));
  await settle();

  expect(sourceCalls).toEqual([480, 960]);
  expect(takenPieces).toEqual(['Error: refused']);
});
