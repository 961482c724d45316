import { beforeEach, describe, expect, test } from 'vitest';
import { BeatWatch } from '../../src/gateway/beat-watch.ts';
import { TestClock } from '../support/test-clock.ts';

let clock: TestClock;
let watch: BeatWatch;
let silent: string[];

beforeEach(() => {
  clock = new TestClock();
  watch = new BeatWatch(clock, 500);
  silent = [];
});

function performing(name: string) {
  const watched = watch.add(() => silent.push(name));
  watched.performs(1);
  return watched;
}

describe('the beat watch', () => {
  test('reports a silent worker once, after four ticks without a beat', () => {
    performing('a');

    clock.advance(1_999);
    expect(silent).toEqual([]);
    clock.advance(60_000);

    expect(silent).toEqual(['a']);
    expect(clock.waiting).toBe(0);
  });

  test('counts any message as a beat', () => {
    const talks = performing('talks');
    performing('silent');

    for (let second = 0; second < 60; second += 1) {
      clock.advance(1_000);
      talks.heard();
    }

    expect(silent).toEqual(['silent']);
    talks.stop();
    expect(clock.waiting).toBe(0);
  });

  test('expects no beats from a worker without sessions', () => {
    watch.add(() => silent.push('never began'));
    performing('ended').performs(0);

    expect(clock.waiting).toBe(0);
    clock.advance(60_000);

    expect(silent).toEqual([]);
  });

  test('has one timer for all workers', () => {
    const watches = ['a', 'b', 'c'].map(performing);

    expect(clock.waiting).toBe(1);

    for (const watched of watches) watched.stop();
    expect(clock.waiting).toBe(0);
  });

  test('does not count a pause of its own process', () => {
    const looks: (() => void)[] = [];
    clock.every = (_ms, run) => {
      looks.push(run);
      return () => {};
    };
    performing('a');

    // After a pause of any length one tick passes before the waiting messages are read.
    clock.advance(60_000);
    looks[0]!();

    expect(silent).toEqual([]);
  });
});
