import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Agent } from '../../../../src/web/call/connection/chat-service.ts';
import { whenHears } from '../../../../src/web/call/connection/when-hears.ts';
import { SHOWN_AGENT } from '../../../support/pages/shown-agent.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const installing = { ...SHOWN_AGENT, hears: false, hearsSoon: true };
const deaf = { ...installing, hearsSoon: false };

/** Gives the answers in order, and the last one again. Counts them. */
function chatOf(...answers: (Agent | Error)[]) {
  const chat = {
    asked: 0,
    async agent() {
      const answer = answers[Math.min(chat.asked, answers.length - 1)]!;
      chat.asked += 1;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return chat;
}

describe('an agent whose speech recognition is being installed', () => {
  test('is asked until it hears', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const long = Array.from({ length: 30 }, () => installing);
    const chat = chatOf(...long, new Error('away'), deaf, SHOWN_AGENT);

    const hearing = whenHears(chat, new AbortController().signal);
    await vi.runAllTimersAsync();

    expect(await hearing).toEqual(SHOWN_AGENT);
    expect(chat.asked).toBe(33);
    warn.mockRestore();
  });

  test('is given up a minute after the installation ended without it', async () => {
    const chat = chatOf(installing, deaf);

    const hearing = whenHears(chat, new AbortController().signal);
    await vi.runAllTimersAsync();

    expect(await hearing).toBeNull();
    expect(chat.asked).toBe(12);
  });

  test('is not asked after the page is gone', async () => {
    const page = new AbortController();
    const chat = chatOf(installing);
    const hearing = whenHears(chat, page.signal);

    page.abort();

    expect(await hearing).toBeNull();
    expect(chat.asked).toBe(0);
  });
});
