import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { follow, REOPEN_MS } from '../../../../src/web/console/service/follow.ts';

/** Stands for the browser's EventSource. */
class Source extends EventTarget {
  static readonly CLOSED = 2;
  static all: Source[] = [];
  readyState = 1;

  constructor() {
    super();
    Source.all.push(this);
  }

  /** The answer was an error, or the connection broke: the browser then connects again. */
  fail(readyState: 0 | 2): void {
    this.readyState = readyState;
    this.dispatchEvent(new Event('error'));
  }

  close(): void {
    this.readyState = Source.CLOSED;
  }
}

const tab = Object.assign(new EventTarget(), { hidden: false });
const turn = (isHidden: boolean) => {
  tab.hidden = isHidden;
  tab.dispatchEvent(new Event('visibilitychange'));
};
const states = () => Source.all.map(({ readyState }) => readyState);

beforeEach(() => {
  Source.all = [];
  tab.hidden = false;
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', Source);
  vi.stubGlobal('document', tab);
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('opens the stream again when the browser gives it up, and only then', () => {
  const listened: unknown[] = [];
  const end = follow('/v1/events', (source) => listened.push(source));

  Source.all[0]!.fail(0);
  vi.advanceTimersByTime(REOPEN_MS);
  expect(Source.all).toHaveLength(1);

  Source.all[0]!.fail(2);
  vi.advanceTimersByTime(REOPEN_MS - 1);
  expect(Source.all).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(listened).toEqual(Source.all);
  expect(states()).toEqual([2, 1]);

  Source.all[1]!.fail(2);
  end();
  vi.advanceTimersByTime(REOPEN_MS);
  expect(states()).toEqual([2, 2]);
});

test('holds no connection in a hidden tab', () => {
  const end = follow('/v1/events', () => {});

  turn(true);
  expect(states()).toEqual([2]);
  turn(false);
  expect(states()).toEqual([2, 1]);

  end();
  turn(true);
  turn(false);
  expect(states()).toEqual([2, 2]);
});
