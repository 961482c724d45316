import { expect, test } from 'vitest';
import type { ClusterBus } from '../../../src/cluster/cluster-bus.ts';
import type {
  SeatSpeech,
  SessionNotices,
  SessionRequests,
} from '../../../src/sessions/cluster/messages.ts';
import { SharedSeats } from '../../../src/sessions/cluster/shared-seats.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';
import { TestClock } from '../../support/test-clock.ts';

const silence = new Promise<never>(() => {});

function seatsWith(answers: Record<string, () => SeatSpeech | null | Promise<never>>) {
  const clock = new TestClock();
  const bus = {
    self: 'self',
    living: async () => ['self', ...Object.keys(answers)],
    request: async (node: string) => answers[node]!(),
    onRequest: () => {},
  } as unknown as ClusterBus<SessionRequests, SessionNotices>;
  return { clock, seats: new SharedSeats({ bus, clock, log: quietLog }) };
}

test('the newest session of other control planes counts, whatever a failing one answers', async () => {
  const { clock, seats } = seatsWith({
    'node-a': () => ({ createdAt: 1, open: [1] }),
    'node-b': () => ({ createdAt: 3, open: [3] }),
    'node-c': () => null,
    'of an older version': () => Promise.reject(new Error('no handler for seat_speech')),
  });

  expect(await seats.find('seat')).toEqual({ createdAt: 3, open: [3] });
  expect(clock.waiting).toBe(0);
});

test('a control plane that does not answer delays a session by half a second', async () => {
  const { clock, seats } = seatsWith({
    'node-a': () => ({ createdAt: 1, open: [1] }),
    'node-b': () => silence,
  });
  let speech: SeatSpeech | null = null;
  const finding = seats.find('seat').then((found) => (speech = found));

  await clock.pass(499);
  expect(speech).toBeNull();
  await clock.pass(1);
  await finding;

  expect(speech).toEqual({ createdAt: 1, open: [1] });
});
