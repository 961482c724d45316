import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FullScreen } from '../../../../src/web/room/call/full-screen.ts';
import { words } from '../../../../src/web/room/words/en.ts';
import { FakeElement, stubDocument } from '../../../support/fake-document.ts';

const stage = Object.assign(new FakeElement(), { requestFullscreen: () => fill(stage) });
let page: EventTarget & { fullscreenEnabled: boolean; fullscreenElement: FakeElement | null };

async function fill(shown: FakeElement | null): Promise<void> {
  page.fullscreenElement = shown;
  page.dispatchEvent(new Event('fullscreenchange'));
}

beforeEach(() => {
  stubDocument();
  const stubbed: object = document;
  page = Object.assign(new EventTarget(), stubbed, {
    fullscreenEnabled: true,
    fullscreenElement: null,
    exitFullscreen: () => fill(null),
  });
  vi.stubGlobal('document', page);
});
afterEach(() => vi.unstubAllGlobals());

function fullScreen() {
  const tools = new FullScreen(words, () => stage as unknown as HTMLElement);
  const button = tools.tool.button as unknown as FakeElement;
  return { leave: () => tools.leave(), button, label: () => button.attributes.get('aria-label') };
}

describe('full screen', () => {
  test('is entered and left by one button, which names what it does', () => {
    const { button, label } = fullScreen();
    expect([button.hidden, label()]).toEqual([false, 'Full screen']);

    button.dispatchEvent(new Event('click'));
    expect([page.fullscreenElement, label()]).toEqual([stage, 'Exit full screen']);

    button.dispatchEvent(new Event('click'));
    expect([page.fullscreenElement, label()]).toEqual([null, 'Full screen']);
  });

  test('is left at the end of a call, unless another element has the screen', () => {
    const { leave, button } = fullScreen();
    button.dispatchEvent(new Event('click'));

    leave();
    expect(page.fullscreenElement).toBeNull();

    const other = new FakeElement();
    page.fullscreenElement = other;
    leave();
    expect(page.fullscreenElement).toBe(other);
  });

  test('has no button where the browser does not support it', () => {
    page.fullscreenEnabled = false;

    expect(fullScreen().button.hidden).toBe(true);
  });
});
