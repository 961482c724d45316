import type { CallWords } from '../words/call-words.ts';
import { localFirefox } from '../words/en-everywhere.ts';

const ENGLISH = { betweenSentences: ' ', localFirefox };

/**
 * Advice for Firefox on the machine of the service: Firefox connects no media to loopback
 * addresses, and `npm start` listens there. The sentence follows others, because the media server
 * may be away as well. Empty in other browsers and on other machines.
 */
export function localFirefoxAdvice(words: Pick<CallWords, keyof typeof ENGLISH> = ENGLISH): string {
  if (!/\bFirefox\//.test(navigator.userAgent)) return '';
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname)) return '';
  return words.betweenSentences + words.localFirefox;
}
