import { describe, expect, test } from 'vitest';
import { judgeMemory, judgeSockets, type Footprint } from './processes/footprint.ts';
import { allOf, atLeast, atMost, outcomeTable, without } from './outcomes.ts';

describe('an outcome', () => {
  test.each([
    ['at its limit', atMost('gap', 4, 4), true],
    ['above its limit', atMost('gap', 4.1, 4), false],
    ['that could not be measured', atMost('gap', Number.NaN, 4), false],
    ['at its least', atLeast('rate', 4, 4), true],
    ['below its least', atLeast('rate', 3.9, 4), false],
    ['of all', allOf('sessions', 8, 8), true],
    ['of fewer than all', allOf('sessions', 7, 8), false],
    ['of none at all', allOf('sessions', 0, 0), false],
    ['without problems', without('it answers', []), true],
    ['with a problem', without('it answers', ['no']), false],
  ])('%s', (_, { holds }, expected) => {
    expect(holds).toBe(expected);
  });

  test('is one line of the table, which says whether it was held', () => {
    const text = outcomeTable([allOf('sessions', 7, 8), atMost('gap', 1.5, 4, ' s')]);

    const [, firstRow, secondRow] = text.split('\n').map((line) => line.trim().split(/ {2,}/));
    expect(firstRow).toEqual(['sessions', '7 of 8', 'all', 'NOT HELD']);
    expect(secondRow).toEqual(['gap', '1.50 s', 'at most 4 s', 'held']);
  });
});

test('the first details stand below the line of their outcome', () => {
  const text = outcomeTable([allOf('sessions', 0, 4, ['a', 'b', 'c', 'd'])]);

  expect(text.split('\n').at(-1)?.trim()).toBe('a; b; c; and 1 more');
});

describe('a process', () => {
  const start: Footprint = {
    heapMb: 40,
    residentMb: 100,
    handles: 20,
    files: { socket: 20, pipe: 10 },
  };
  const brokenBy = (changed: Partial<Footprint>) => {
    const end = { ...start, ...changed };
    return [...judgeMemory('a worker', start, end), judgeSockets('a worker', start, end)]
      .filter(({ holds }) => !holds)
      .map(({ requirement }) => requirement);
  };

  test('may stay as it is, and grow a little', () => {
    expect(brokenBy({})).toEqual([]);
    expect(
      brokenBy({ heapMb: 60, residentMb: 150, handles: 30, files: { socket: 25, pipe: 15 } }),
    ).toEqual([]);
  });

  test.each([
    [{ heapMb: 61 }, 'heap of a worker'],
    [{ residentMb: 151 }, 'memory of a worker'],
    [{ handles: 31 }, 'handles of a worker'],
    [{ files: { socket: 31, pipe: 10 } }, 'open sockets of a worker'],
    [{ files: { socket: 20, pipe: 21 } }, 'other open files of a worker'],
  ])('must not grow without bound: %o', (change, requirement) => {
    expect(brokenBy(change)).toEqual([requirement]);
  });

  test('names the kinds of files that it has left open', () => {
    const end = { ...start, files: { socket: 20, pipe: 30, io_uring: 1 } };

    expect(judgeMemory('a worker', start, end).at(-1)?.note).toBe(
      'pipe: 10 before, 30 after; io_uring: 0 before, 1 after',
    );
  });
});
