import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Hush } from '../../../../src/web/call/sound/hush.ts';

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

test('a hush mutes the rest of an interrupted voice until it is silent', () => {
  hush.begin();
  expect(element.muted).toBe(true);
  vi.advanceTimersByTime(240);
  expect(element.muted).toBe(true);

  loudness = 0;
  vi.advanceTimersByTime(100);

  expect(element.muted).toBe(false);
});

test('a pause between two words does not end a hush', () => {
  hush.begin();

  loudness = 0;
  vi.advanceTimersByTime(80);
  loudness = 0.5;
  vi.advanceTimersByTime(100);

  expect(element.muted).toBe(true);
  hush.end();
});

test('a hush ends after 600 ms without silence', () => {
  hush.begin();
  vi.advanceTimersByTime(599);
  expect(element.muted).toBe(true);

  vi.advanceTimersByTime(1);

  expect(element.muted).toBe(false);
});

test('a second interruption restarts the hush', () => {
  hush.begin();
  vi.advanceTimersByTime(500);
  hush.begin();
  vi.advanceTimersByTime(500);

  expect(element.muted).toBe(true);
  hush.end();
});

test('an element muted for another reason stays muted', () => {
  element.muted = true;

  hush.end();

  expect(element.muted).toBe(true);
});
