import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Captions } from '../../../../src/web/room/call/captions.ts';
import { words } from '../../../../src/web/room/words/en.ts';
import { FakeElement, stubDocument } from '../../../support/fake-document.ts';

const stored = new Map<string, string>();
beforeEach(() => {
  stubDocument();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  });
});
afterEach(() => {
  stored.clear();
  vi.unstubAllGlobals();
});

const newStage = () => ({ dataset: {} as Record<string, string> }) as unknown as HTMLElement;

const captionsOf = (stage: HTMLElement): Captions => {
  const captions = new Captions(words, () => stage);
  captions.show();
  return captions;
};

test('captions keep the chosen size in the next call', () => {
  const stage = newStage();
  const { sizeMenu } = captionsOf(stage);
  expect(stage.dataset['captions']).toBe('normal');
  const [, select] = (sizeMenu as unknown as FakeElement).children as FakeElement[];

  select!.value = 'largest';
  select!.dispatchEvent(new Event('change'));
  const nextStage = newStage();
  captionsOf(nextStage);

  expect(stage.dataset['captions']).toBe('largest');
  expect(nextStage.dataset['captions']).toBe('largest');
});

test('captions stay off in the next call, and have their size when they are on again', () => {
  stored.set('troupe-captions', 'large');
  const stage = newStage();
  const button = captionsOf(stage).tool.button as unknown as FakeElement;
  expect(button.attributes.get('aria-pressed')).toBe('true');

  button.dispatchEvent(new Event('click'));
  const nextStage = newStage();
  captionsOf(nextStage);

  expect(button.attributes.get('aria-pressed')).toBe('false');
  expect([stage, nextStage].map(({ dataset }) => dataset['captions'])).toEqual(['off', 'off']);
  button.dispatchEvent(new Event('click'));
  expect(stage.dataset['captions']).toBe('large');
});

test('a stored size that does not exist is the normal one', () => {
  stored.set('troupe-captions', 'gigantic');
  const stage = newStage();

  captionsOf(stage);

  expect(stage.dataset['captions']).toBe('normal');
});
