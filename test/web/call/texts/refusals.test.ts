import { afterEach, describe, expect, test, vi } from 'vitest';
import { Refusal } from '../../../../src/web/api/answers.ts';
import { refusalOf, refusalText, retryText } from '../../../../src/web/call/texts/refusals.ts';
import { words } from '../../../../src/web/call/words/en.ts';
import { SHOWN_AGENT as agent } from '../../../support/pages/shown-agent.ts';
import { MediaServerGone, noticeOf } from '../../../../src/web/try/notices.ts';

afterEach(() => vi.unstubAllGlobals());

const usedUp = (seconds: number) =>
  new Refusal(429, 'No.', seconds, null, { code: 'budget_reached' });

describe('a budget that is used up', () => {
  test('is blamed on nobody: it may be that of the visitor’s address', () => {
    const { why } = refusalOf(usedUp(3_600));

    expect(why).toBe('used_up');
    expect(refusalText(words, { why, agent }).join(' ')).not.toMatch(/people|today|tomorrow/);
  });

  test.each([
    [60, 'Try again in 60 seconds.'],
    [600, 'Try again in 10 minutes.'],
    [5 * 3_600, 'Try again in 5 hours.'],
  ])('says when to come back: %s s', (seconds, sentence) => {
    expect(retryText(words, refusalOf(usedUp(seconds)).retryAfterSeconds)).toContain(sentence);
  });
});

const openInFirefox = () => {
  vi.stubGlobal('location', new URL('http://localhost:8080/'));
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; rv:140.0) Firefox/140.0' });
};

describe('a media server that does not respond to Firefox on its own machine', () => {
  test.each([
    { what: 'at first', wasConnected: false, advice: /does not respond.* Firefox/ },
    { what: 'later', wasConnected: true, advice: /^(?!.*Firefox).*does not respond/ },
  ])('may be away as well, $what', ({ wasConnected, advice }) => {
    openInFirefox();

    const error = new MediaServerGone('ws://127.0.0.1:7880', wasConnected);

    expect(noticeOf(error).advice).toMatch(advice);
  });

  test('may be behind a firewall of the room page’s visitor', () => {
    openInFirefox();

    expect(refusalText(words, { why: 'no_media', agent })[1]).toMatch(
      /A firewall may block it\. Firefox/,
    );
  });
});
