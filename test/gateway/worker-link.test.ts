import type { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import type { Job, WorkerFacts } from '../../src/fleet/fleet.ts';
import { WorkerLink } from '../../src/gateway/worker-link.ts';
import { TestClock } from '../support/test-clock.ts';

const ANSWER_MS = 2_000;
const placement = { sessionId: 'session', epoch: 1 };

function linked() {
  const clock = new TestClock();
  const sentTexts: string[] = [];
  const socket = { bufferedAmount: 0, send: (text: string) => sentTexts.push(text) };
  const stream = { cork: () => {}, uncork: () => {} };
  const link = new WorkerLink({
    socket: socket as unknown as WebSocket,
    stream: stream as unknown as Duplex,
    facts: {} as WorkerFacts,
    tokenId: null,
    clock,
    answerMs: ANSWER_MS,
  });
  const types = () => sentTexts.map((text) => (JSON.parse(text) as { type: string }).type);
  return { clock, types, link, answer: link.assign(placement, {} as Job) };
}

test('drops an assignment that a worker does not answer in time', async () => {
  const { clock, types, link, answer } = linked();

  clock.advance(ANSWER_MS);

  expect(await answer).toBe('silent');
  expect(types()).toEqual(['assign', 'drop']);
  expect(link.answered(placement, 'accepted')).toBe(false);
  expect(clock.waiting).toBe(0);
});

test('waits until the last moment', async () => {
  const { clock, link, answer } = linked();

  clock.advance(ANSWER_MS - 1);
  link.answered(placement, 'accepted');

  expect(await answer).toBe('accepted');
  expect(clock.waiting).toBe(0);
});

test('reads the answers that arrived while the control plane itself stood still', async () => {
  const { clock, link, answer } = linked();

  clock.stall(5 * ANSWER_MS);
  link.answered(placement, 'accepted');

  expect(await answer).toBe('accepted');
});

test('remembers a slow answer to a ping for several pings', () => {
  const { clock, link } = linked();
  const answerAfter = (ms: number) => {
    link.ping();
    clock.advance(ms);
    link.receivePong();
    return link.roundTripMs;
  };

  expect(link.roundTripMs).toBeNull();
  expect([5, 80, 4, 4, 4, 4, 4].map(answerAfter)).toEqual([5, 80, 40, 20, 10, 5, 4]);
});
