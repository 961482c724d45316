import { afterEach, describe, expect, test, vi } from 'vitest';
import { browserKeep, onCode, takeCode } from '../../../src/web/access/page-link.ts';

afterEach(() => vi.unstubAllGlobals());

/** A page at this address. `shown` is what its address bar shows. */
function open(address: string) {
  const url = new URL(address);
  const events = new EventTarget();
  vi.stubGlobal('location', url);
  vi.stubGlobal('history', {
    replaceState: (_state: unknown, _title: string, path: string) => {
      url.href = new URL(path, url).href;
    },
  });
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  vi.stubGlobal('removeEventListener', events.removeEventListener.bind(events));
  return {
    shown: () => url.href,
    go(hash: string) {
      url.hash = hash;
      events.dispatchEvent(new Event('hashchange'));
    },
  };
}

describe('the link of the try page', () => {
  test('gives its code once, and leaves the address without it', () => {
    const page = open('http://localhost:8080/?a=1#code=Abc123');

    expect([takeCode(), takeCode()]).toEqual(['Abc123', null]);
    expect(page.shown()).toBe('http://localhost:8080/?a=1');
  });

  test.each(['', '#point-title', '#code=', '#code=a/b', '#encode=a'])(
    'has no code in "%s", which stays',
    (hash) => {
      const page = open(`http://localhost:8080/${hash}`);

      expect(takeCode()).toBeNull();
      expect(page.shown()).toBe(`http://localhost:8080/${hash}`);
    },
  );

  test('is noticed when it is opened in the tab of the page', () => {
    const page = open('http://localhost:8080/');
    const codes: string[] = [];
    const stop = onCode((code) => codes.push(code));

    page.go('#code=New');
    page.go('#point-title');
    stop();
    page.go('#code=Late');

    expect(codes).toEqual(['New']);
  });
});

const blocked = () => {
  throw new DOMException('blocked', 'SecurityError');
};

describe('the refresh token of a browser', () => {
  test('outlives the page', () => {
    const storage = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (name: string) => storage.get(name) ?? null,
      setItem: (name: string, value: string) => void storage.set(name, value),
    });

    browserKeep().set('a token');

    expect(browserKeep().get()).toBe('a token');
  });

  test('is kept by the page alone where storage is blocked', () => {
    vi.stubGlobal('localStorage', { getItem: blocked, setItem: blocked });
    const keep = browserKeep();

    keep.set('a token');

    expect(keep.get()).toBe('a token');
    expect(browserKeep().get()).toBeNull();
  });
});
