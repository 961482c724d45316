import { describe, expect, test } from 'vitest';
import { checkComplete, type StatedTotals } from '../../src/knowledge/completeness.ts';

const HINT = ' (chunks are numbered from 0; from 1 if you state `chunks`)';

/** Chunks of ten bytes. */
const check = (numbers: number[], stated: StatedTotals = {}) => {
  const chunks = numbers.map((number) => ({ number, uploadId: `upload ${number}`, size: 10 }));
  return () => checkComplete(chunks, stated);
};

describe('an upload of the chunks', () => {
  test.each<{ numbers: number[]; stated?: StatedTotals; says: string }>([
    { numbers: [], says: 'No chunk has been uploaded.' },
    { numbers: [], stated: { chunks: 1 }, says: 'No chunk has been uploaded.' },
    { numbers: [1, 2], says: `Chunks are missing: 0${HINT}.` },
    { numbers: [0, 1, 3, 5], says: 'Chunks are missing: 2, 4.' },
    {
      numbers: [0, 9999],
      says: 'Chunks are missing: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 9988 more.',
    },
    { numbers: [0, 1], stated: { chunks: 3 }, says: 'Chunks are missing: 2.' },
    { numbers: [1, 2], stated: { chunks: 3 }, says: `Chunks are missing: 0${HINT}.` },
    { numbers: [1, 3], stated: { chunks: 3 }, says: 'Chunks are missing: 2.' },
    {
      numbers: [0, 1, 2],
      stated: { chunks: 2 },
      says: '3 chunks were uploaded, but `chunks` is 2.',
    },
    {
      numbers: [0, 1],
      stated: { chunks: 2, size: 21 },
      says: '20 bytes were uploaded, but `size` is 21.',
    },
    { numbers: [0, 1], stated: { size: 19 }, says: '20 bytes were uploaded, but `size` is 19.' },
  ])('$numbers with $stated is refused', ({ numbers, stated, says }) => {
    expect(check(numbers, stated)).toThrow(expect.objectContaining({ status: 400, message: says }));
  });

  test.each<{ numbers: number[]; stated?: StatedTotals }>([
    { numbers: [0] },
    { numbers: [0, 1, 2] },
    { numbers: [0, 1, 2], stated: { chunks: 3, size: 30 } },
    { numbers: [1, 2, 3], stated: { chunks: 3 } },
    { numbers: [1], stated: { chunks: 1, size: 10 } },
  ])('$numbers with $stated is complete', ({ numbers, stated }) => {
    expect(check(numbers, stated)).not.toThrow();
  });
});
