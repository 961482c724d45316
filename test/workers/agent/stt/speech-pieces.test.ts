import { expect, test } from 'vitest';
import { piecesOf } from '../../../../workers/agent/stt/speech-pieces.ts';

const RATE = 16_000;
const secondsOf = (pieces: Float32Array[]) => pieces.map(({ length }) => length / RATE);
const loud = (seconds: number) => new Float32Array(seconds * RATE).fill(0.5);
const silent = (seconds: number) => new Float32Array(seconds * RATE);

function joined(pieces: Float32Array[]): Float32Array {
  return Float32Array.from(pieces.flatMap((piece) => [...piece]));
}

test('leaves an utterance whole that is not too long', () => {
  expect(secondsOf(piecesOf(loud(8), RATE, 8))).toEqual([8]);
  expect(secondsOf(piecesOf(loud(0), RATE, 8))).toEqual([0]);
});

test('cuts in the longest pause, and loses nothing', () => {
  const speech = joined([
    loud(5),
    silent(0.05),
    loud(1),
    silent(0.2),
    loud(4),
    silent(0.3),
    loud(6),
  ]);

  const pieces = piecesOf(speech, RATE, 8);

  expect(secondsOf(pieces)[0]).toBeGreaterThan(6.05);
  expect(secondsOf(pieces)[0]).toBeLessThan(6.25);
  expect(secondsOf(pieces)[1]).toBeGreaterThan(4.1);
  expect(secondsOf(pieces)[1]).toBeLessThan(4.5);
  expect(pieces).toHaveLength(3);
  expect(joined(pieces)).toEqual(speech);
});

test('cuts speech without a pause too', () => {
  for (const seconds of secondsOf(piecesOf(loud(60), RATE, 8)))
    expect(seconds).toBeLessThanOrEqual(8);
});
