import { describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { PlaybackCalls } from '../../../../../workers/avatar/transport/mediaserver/playback-calls.ts';
import { TestClock } from '../../../../support/test-clock.ts';

class CallError extends Error {
  code: number;
  constructor(code: number) {
    super(`error ${code}`);
    this.code = code;
  }
}

/** `answers` are error codes, in order. 0, and every call after them, is a success. */
function given(...answers: number[]) {
  const clock = new TestClock();
  const requests: [string, string, number][] = [];
  const calls = new PlaybackCalls(
    async (method, payload) => {
      requests.push([method, payload, clock.elapsed()]);
      const code = answers.shift() ?? 0;
      if (code) throw new CallError(code);
    },
    clock,
    createLog({ name: 'test', level: 'silent' }),
  );
  return { clock, requests, calls };
}

const event = { positionSeconds: 1.5, interrupted: false };

describe('playback calls', () => {
  test('send finished with the two keys that agents know, and no other', async () => {
    const { clock, requests, calls } = given();

    calls.finished(event);
    await clock.pass(0);

    expect(requests).toEqual([
      ['lk.playback_finished', '{"playback_position":1.5,"interrupted":false}', 0],
    ]);
  });

  test('retry finished three times, 0.1 s apart, before the next one', async () => {
    const { clock, requests, calls } = given(1502, 1501, 1500, 1500);

    calls.finished(event);
    calls.finished({ positionSeconds: 2, interrupted: true });
    await clock.pass(1000);

    expect(requests.map(([, , at]) => at)).toEqual([0, 100, 200, 300, 300]);
    expect(requests.at(-1)![1]).toContain('"playback_position":2');
  });

  test('are given up without a warning when the room has ended', async () => {
    const clock = new TestClock();
    const lines: string[] = [];
    let requests = 0;
    const call = async () => {
      requests += 1;
      throw new DOMException('aborted', 'AbortError');
    };
    const log = createLog(
      { name: 'test', level: 'warn' },
      { write: (line) => void lines.push(line) },
    );

    new PlaybackCalls(call, clock, log).finished(event);
    await clock.pass(1000);

    expect({ requests, lines }).toEqual({ requests: 1, lines: [] });
  });

  test('do not retry finished if the agent does not support it', async () => {
    const { clock, requests, calls } = given(1400);

    calls.finished(event);
    await clock.pass(1000);

    expect(requests).toHaveLength(1);
  });

  test('send no more started once the agent does not support it', async () => {
    const { clock, requests, calls } = given(1400);

    calls.started();
    await clock.pass(0);
    calls.started();
    await clock.pass(1000);

    expect(requests).toEqual([['lk.playback_started', '', 0]]);
  });

  test('never retry started, and continue after other errors', async () => {
    const { clock, requests, calls } = given(1502);

    calls.started();
    await clock.pass(1000);
    calls.started();
    await clock.pass(1000);

    expect(requests.map(([, , at]) => at)).toEqual([0, 1000]);
  });

  test('leave no retry pending after close', async () => {
    const { clock, requests, calls } = given(1502, 1502, 1502);
    calls.finished(event);
    await clock.pass(50);

    calls.close();
    await clock.pass(1000);

    expect(requests).toHaveLength(1);
    expect(clock.waiting).toBe(0);
  });

  test('answer for a previous worker in order, one at a time', async () => {
    const { clock, requests, calls } = given(1501);
    let isAnswered = false;

    const answered = calls.answer([event, { positionSeconds: 0, interrupted: true }]);
    void answered.finally(() => (isAnswered = true));
    await clock.pass(50);
    const earlyState = [requests.length, isAnswered];
    await clock.pass(50);

    expect(earlyState).toEqual([1, false]);
    expect(requests.map(([, payload]) => JSON.parse(payload).playback_position)).toEqual([
      1.5, 1.5, 0,
    ]);
    expect(isAnswered).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  test('stop answering for a previous worker after a second, when it would finish the next segment', async () => {
    const clock = new TestClock();
    const payloads: string[] = [];
    const response = Promise.withResolvers<void>();
    const calls = new PlaybackCalls(
      async (_method, payload) => {
        payloads.push(payload);
        await response.promise;
      },
      clock,
      createLog({ name: 'test', level: 'silent' }),
    );

    const answered = calls.answer([event, event]);
    await clock.pass(1_000);
    await answered;
    calls.finished({ positionSeconds: 7, interrupted: false });
    response.resolve();
    await clock.pass(1_000);

    expect(payloads.map((payload) => JSON.parse(payload).playback_position)).toEqual([1.5, 7]);
  });
});
