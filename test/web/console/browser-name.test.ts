import { expect, test } from 'vitest';
import { browserName } from '../../../src/web/console/shell/browser-name.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0 Safari/537.36 Edg/140.0`,
    'Edge',
    'Windows',
  ],
  [
    `Mozilla/5.0 (Linux; Android 15) ${WEBKIT} Chrome/140.0 Mobile Safari/537.36`,
    'Chrome',
    'Android',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox', 'Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Version/18.6 Mobile Safari/604.1',
    'Safari',
    'iPhone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.6 Safari/605.1.15',
    'Safari',
    'macOS',
  ],
  ['curl/8.14.1', null, null],
])('the user agent %s names %s on %s', (userAgent, browser, system) => {
  expect(browserName(userAgent)).toEqual({ browser, system });
});
