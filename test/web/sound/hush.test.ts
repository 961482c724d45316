import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Hush } from '../../../src/web/sound/hush.ts';

let loudness = 0;
const element = { muted: false };
let hush: Hush;

beforeEach(() => {
  vi.useFakeTimers();
  loudness = 0.5;
  element.muted = false;
  hush = new Hush(element, { read: () => loudness });
});
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test('what is left of an interrupted voice is not heard, what it says after a silence is', () => {
  hush.begin();
  expect(element.muted).toBe(true);
  vi.advanceTimersByTime(240);
  expect(element.muted).toBe(true);

  loudness = 0;
  vi.advanceTimersByTime(100);

  expect(element.muted).toBe(false);
});

test('a pause between two words ends nothing', () => {
  hush.begin();

  loudness = 0;
  vi.advanceTimersByTime(80);
  loudness = 0.5;
  vi.advanceTimersByTime(100);

  expect(element.muted).toBe(true);
  hush.end();
});

test('a voice that never falls silent is heard again', () => {
  hush.begin();
  vi.advanceTimersByTime(599);
  expect(element.muted).toBe(true);

  vi.advanceTimersByTime(1);

  expect(element.muted).toBe(false);
});

test('who interrupts twice waits for one silence, from the second time on', () => {
  hush.begin();
  vi.advanceTimersByTime(500);
  hush.begin();
  vi.advanceTimersByTime(500);

  expect(element.muted).toBe(true);
  hush.end();
});

test('an element that is muted for another reason stays so', () => {
  element.muted = true;

  hush.end();

  expect(element.muted).toBe(true);
});
