import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Notices } from '../../../../src/web/call/view/notices.ts';
import { words } from '../../../../src/web/call/words/en.ts';
import { FakeElement, stubDocument } from '../../../support/fake-document.ts';

let notices: Notices;
let shown: FakeElement;
let removed: FakeElement[];
beforeEach(() => {
  vi.useFakeTimers();
  stubDocument();
  removed = [];
  vi.spyOn(FakeElement.prototype, 'remove').mockImplementation(function (this: FakeElement) {
    removed.push(this);
  });
  notices = new Notices(words, 'status', 'notice');
  shown = notices.node as unknown as FakeElement;
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const rows = () => (shown.children as FakeElement[]).filter((row) => !removed.includes(row));

describe('notices', () => {
  test('go away by themselves, and stay away as long as they apply', () => {
    notices.show(['The camera is blocked.']);
    expect(rows()).toHaveLength(1);

    vi.runAllTimers();
    notices.show(['The camera is blocked.']);

    expect(rows()).toEqual([]);
  });

  test('go away by a button', () => {
    notices.show(['The camera is blocked.', 'The microphone is blocked.']);
    const [, close] = rows()[0]!.children as FakeElement[];

    close!.dispatchEvent(new Event('click'));

    expect(rows()).toHaveLength(1);
  });

  test('go away when they no longer apply, and come back when they apply again', () => {
    notices.show(['The camera is blocked.']);
    notices.show([]);
    expect(rows()).toEqual([]);

    notices.show(['The camera is blocked.']);

    expect(rows()).toHaveLength(1);
  });
});
