import { afterEach, expect, test, vi } from 'vitest';
import { localFirefoxAdvice } from '../../../../src/web/call/texts/local-firefox.ts';

afterEach(() => vi.unstubAllGlobals());

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

test.each([
  { userAgent: FIREFOX, page: 'http://localhost:8080/', isGiven: true },
  { userAgent: FIREFOX, page: 'http://127.0.0.1:8080/a', isGiven: true },
  { userAgent: FIREFOX, page: 'http://[::1]:8080/', isGiven: true },
  { userAgent: FIREFOX, page: 'https://troupe.example/', isGiven: false },
  { userAgent: CHROME, page: 'http://localhost:8080/', isGiven: false },
])('advice for Firefox at $page: $isGiven', ({ userAgent, page, isGiven }) => {
  vi.stubGlobal('location', new URL(page));
  vi.stubGlobal('navigator', { userAgent });

  expect(localFirefoxAdvice() !== '').toBe(isGiven);
});
