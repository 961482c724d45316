import { EventEmitter } from 'node:events';
import { beforeEach, expect, test } from 'vitest';
import { Fault } from '../../src/errors.ts';
import { ProcessCalls, type Verbs } from '../../src/work/process-calls.ts';

type Numbers = {
  double(value: number): Promise<number>;
  refuse(value: null): Promise<never>;
  break(value: null): Promise<never>;
  wait(value: null): Promise<never>;
  cancelled(value: null): Promise<never>;
};

let cancellations: string[];
beforeEach(() => {
  cancellations = [];
});

const verbs = {
  double: async (value: number) => 2 * value,
  refuse: async () => {
    throw new Fault('at_capacity', { detail: 'Wait a little.', retryAfterSeconds: 3 });
  },
  break: async () => {
    throw new Error('broken');
  },
  wait: () => new Promise<never>(() => {}),
  cancelled: (_value: null, signal: AbortSignal) =>
    new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => {
        cancellations.push(String(signal.reason));
        reject(signal.reason);
      }),
    ),
};

const channel = (own: EventEmitter, other: EventEmitter) => ({
  on: own.on.bind(own),
  send: (message: unknown) => other.emit('message', structuredClone(message)),
});

function pair(answered: Verbs) {
  const [left, right] = [new EventEmitter(), new EventEmitter()];
  const other = new ProcessCalls<Numbers>(channel(right, left), answered);
  return { answering: other, calls: new ProcessCalls<Numbers>(channel(left, right), {}) };
}

test('requests get their own answers', async () => {
  const { calls } = pair(verbs);

  const answers = await Promise.all([1, 2, 3].map((value) => calls.call('double', value)));

  expect(answers).toEqual([2, 4, 6]);
});

test('faults stay faults, and other errors keep their message', async () => {
  const { calls } = pair(verbs);

  await expect(calls.call('refuse', null)).rejects.toMatchObject({
    fault: 'at_capacity',
    message: 'Wait a little.',
    retryAfterSeconds: 3,
  });
  await expect(calls.call('break', null)).rejects.toThrow('broken');
});

test('requests fail when the other side ends, now and later', async () => {
  const { calls } = pair(verbs);
  const waiting = expect(calls.call('wait', null)).rejects.toThrow('gone');

  await calls.end(new Error('gone'));

  await waiting;
  await expect(calls.call('double', 1)).rejects.toThrow('gone');
});

test('a cancelled request fails at once, and its work is told', async () => {
  const { calls } = pair(verbs);
  const hangUp = new AbortController();
  const request = calls.call('cancelled', null, hangUp.signal);
  const late = calls.call('wait', null, AbortSignal.abort(new Error('too late')));

  hangUp.abort(new Error('hung up'));

  await expect(request).rejects.toThrow('hung up');
  await expect(late).rejects.toThrow('too late');
  expect(cancellations).toEqual(['Error: the request was cancelled']);
});

test('work for a side that has ended is cancelled', async () => {
  const { calls, answering } = pair(verbs);
  const request = expect(calls.call('cancelled', null)).rejects.toThrow('gone');

  await answering.end(new Error('gone'));
  await calls.end(new Error('gone'));

  await request;
  expect(cancellations).toEqual(['Error: gone']);
});
