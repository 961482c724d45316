import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CaptionSize } from '../../../../src/web/room/call/caption-size.ts';
import { words } from '../../../../src/web/room/words/en.ts';
import { FakeElement, stubDocument } from '../../../support/fake-document.ts';

const stored = new Map<string, string>();
beforeEach(() => {
  stubDocument();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  });
});
afterEach(() => {
  stored.clear();
  vi.unstubAllGlobals();
});

const newStage = () => ({ dataset: {} as Record<string, string> }) as unknown as HTMLElement;

test('captions keep the chosen size in the next call', () => {
  const stage = newStage();
  const size = new CaptionSize(words, () => stage);
  size.applyTo(stage);
  expect(stage.dataset['captions']).toBe('normal');
  const [, select] = (size.node as unknown as FakeElement).children as FakeElement[];

  select!.value = 'largest';
  select!.dispatchEvent(new Event('change'));
  const nextStage = newStage();
  new CaptionSize(words, () => nextStage).applyTo(nextStage);

  expect(stage.dataset['captions']).toBe('largest');
  expect(nextStage.dataset['captions']).toBe('largest');
});

test('a stored size that does not exist is the normal one', () => {
  stored.set('troupe-captions', 'gigantic');
  const stage = newStage();

  new CaptionSize(words, () => stage).applyTo(stage);

  expect(stage.dataset['captions']).toBe('normal');
});
