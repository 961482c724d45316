import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Refusal } from '../../../../src/web/api/answers.ts';
import type { CallCredentials } from '../../../../src/web/call/connection/chat-service.ts';
import { openWhenFree, type Busy } from '../../../../src/web/call/connection/open-when-free.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const credentials = { id: 'call', url: 'wss://media.example', token: 'secret' };
const busy = (seconds: number | null = null, about = {}) =>
  new Refusal(503, 'Busy.', seconds, null, about);
const placed = (ticket: string, position: number) =>
  busy(2, { line_ticket: ticket, line_position: position });

/** Gives the answers in order; throws errors. Records the tickets. */
function chatOf(...answers: (CallCredentials | Error)[]) {
  const sent: (string | null)[] = [];
  const left: string[] = [];
  return {
    sent,
    left,
    async open(_userName: string, ticket: string | null) {
      sent.push(ticket);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer!;
    },
    async leaveLine(ticket: string) {
      left.push(ticket);
    },
  };
}

type Visit = { ticket?: string | null; onBusy?: (busy: Busy) => void; signal?: AbortSignal };

const open = (chat: ReturnType<typeof chatOf>, { ticket = null, ...visit }: Visit = {}) => {
  const { signal } = new AbortController();
  return openWhenFree(chat, '', { ticket, onBusy: () => {}, signal, ...visit });
};

describe('waiting for a free avatar', () => {
  test('retries until an avatar is free', async () => {
    const reports: Busy[] = [];

    const opening = open(chatOf(busy(1), busy(), credentials), {
      onBusy: (report) => reports.push(report),
    });
    await vi.runAllTimersAsync();

    expect(await opening).toEqual(credentials);
    const without = { ticket: null, position: null };
    expect(reports).toEqual([
      { tries: 1, retryInSeconds: 1, ...without },
      { tries: 2, retryInSeconds: 5, ...without },
    ]);
  });

  test('keeps its place in line with the newest ticket', async () => {
    const chat = chatOf(placed('first', 3), busy(), placed('second', 9), credentials);
    const positions: (number | null)[] = [];

    const opening = open(chat, { onBusy: ({ position }) => positions.push(position) });
    await vi.runAllTimersAsync();
    await opening;

    expect(chat.sent).toEqual([null, 'first', 'first', 'second']);
    expect(positions).toEqual([3, null, 9]);
    expect(chat.left).toEqual([]);
  });

  test('goes on with the ticket of before a reload', async () => {
    const chat = chatOf(credentials);

    await open(chat, { ticket: 'kept' });

    expect(chat.sent).toEqual(['kept']);
  });

  test('leaves the line when it is aborted between two tries', async () => {
    const controller = new AbortController();
    const chat = chatOf(placed('place', 1), credentials);
    const onBusy = () => controller.abort();

    const opening = open(chat, { onBusy, signal: controller.signal });

    await expect(opening).rejects.toMatchObject({ status: 503 });
    expect(chat.left).toEqual(['place']);
  });

  test('leaves the line when it is aborted during a try, without another report', async () => {
    const controller = new AbortController();
    const chat = chatOf(placed('place', 1));
    const onBusy = vi.fn<() => void>();

    const opening = open(chat, { onBusy, signal: controller.signal });
    controller.abort();

    await expect(opening).rejects.toMatchObject({ status: 503 });
    expect(chat.left).toEqual(['place']);
    expect(onBusy).not.toHaveBeenCalled();
  });

  test('does not retry other refusals', async () => {
    const onBusy = vi.fn<() => void>();

    const opening = open(chatOf(new Refusal(429, 'No.'), credentials), { onBusy });

    await expect(opening).rejects.toMatchObject({ status: 429 });
    expect(onBusy).not.toHaveBeenCalled();
  });
});
