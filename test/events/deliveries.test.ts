import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newSigningSecret } from '../../src/events/signature.ts';
import { openDeliveries, type DeliveryService } from '../support/api/deliveries.ts';
import { settle } from '../support/test-clock.ts';
import { until } from '../support/until.ts';
import { isSigned } from '../support/api/webhook-sink.ts';

let service: DeliveryService;
beforeEach(async () => {
  service = await openDeliveries();
});
afterEach(() => service.close());

describe('a delivery', () => {
  test('is a signed POST of the event to every subscriber', async () => {
    const firstSink = await service.addSink();
    const secondSink = await service.addSink({ events: ['call.ended', 'message'] });
    const otherSink = await service.addSink({ events: ['call.ended'] });

    await service.addEvent('call-1', { at: service.clock.now(), extra: { event_type: 'message' } });
    service.wake();
    await service.delivered(firstSink.webhook.id, 1);
    await service.delivered(secondSink.webhook.id, 1);

    const [received] = firstSink.sink.received;
    expect(received?.payload).toEqual({
      type: 'message',
      timestamp: '2026-01-01T12:00:00.000000+00:00',
      data: { subject: 'call-1' },
      event_type: 'message',
    });
    expect(received?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Troupe/test',
      'content-length': String(Buffer.byteLength(received?.body ?? '')),
    });
    expect(secondSink.sink.received.map(({ id }) => id)).toEqual([received?.id]);
    expect(otherSink.sink.received).toEqual([]);
    expect(await service.find(otherSink.webhook.id)).toEqual([]);
  });

  test('is recorded with the answer', async () => {
    const { sink, webhook } = await service.addSink();
    sink.answer = (response) => response.writeHead(202).end('thanks');

    await service.addEvent('call-1');
    service.wake();
    await service.delivered(webhook.id, 1);

    expect((await service.find(webhook.id))[0]).toEqual({
      id: expect.any(String),
      eventId: sink.received[0]?.id,
      type: 'message',
      status: 'delivered',
      attempts: 1,
      dueAt: service.clock.now(),
      answerStatus: 202,
      error: null,
      deliveredAt: service.clock.now(),
      createdAt: service.clock.now() - 50,
    });
  });

  test.each([
    { answer: 200, is: 'delivered' },
    { answer: 299, is: 'delivered' },
    { answer: 304, is: 'pending' },
    { answer: 400, is: 'pending' },
    { answer: 503, is: 'pending' },
  ])('that is answered $answer is $is', async ({ answer, is }) => {
    const { sink, webhook } = await service.addSink();
    sink.answer = (response) => response.writeHead(answer).end();

    await service.addEvent('call-1');
    service.wake();

    expect(await service.tried(webhook.id, 1)).toMatchObject({ status: is, answerStatus: answer });
  });

  test('follows no redirects', async () => {
    const { sink: elsewhere } = await service.addSink({ events: ['test'] });
    const { sink, webhook } = await service.addSink();
    sink.answer = (response) => response.writeHead(307, { location: elsewhere.url }).end();

    await service.addEvent('call-1');
    service.wake();

    const { error } = await service.tried(webhook.id, 1);
    expect(error).toBe('Answered 307: redirects are not followed.');
    expect(elsewhere.received).toEqual([]);
  });

  test('times out after 10 seconds', async () => {
    const { sink, webhook } = await service.addSink();
    sink.answer = () => {};

    await service.addEvent('call-1');
    service.wake();
    await sink.arrived(1);
    service.clock.advance(10_000);

    expect(await service.tried(webhook.id, 1)).toMatchObject({
      status: 'pending',
      answerStatus: null,
      error: 'No answer within 10 s.',
    });
  });

  test('does not read a long answer', async () => {
    const { sink, webhook } = await service.addSink();
    sink.answer = (response) => {
      response.writeHead(200);
      const writeMore = () =>
        void (response.destroyed || response.write('x'.repeat(65_536), writeMore));
      writeMore();
    };

    await service.addEvent('call-1');
    service.wake();

    expect(await service.tried(webhook.id, 1)).toMatchObject({ status: 'delivered' });
    await until(() => sink.brokenOff === 1);
  });

  test('reports an unreachable receiver', async () => {
    const { sink, webhook } = await service.addSink();
    await sink.close();

    await service.addEvent('call-1');
    service.wake();

    expect(await service.tried(webhook.id, 1)).toMatchObject({
      status: 'pending',
      answerStatus: null,
      error: 'The connection was refused.',
    });
  });

  test('is signed with the current secret', async () => {
    const { sink, webhook } = await service.addSink();
    const secret = newSigningSecret();
    const rotation = { secret, formerSecretUntil: null };
    await service.webhooks.rotateSecret(webhook.accountId, webhook.id, rotation);

    await service.addEvent('call-1');
    service.wake();
    await sink.arrived(1);

    expect(sink.bad.splice(0)).toHaveLength(1);
    expect(sink.received.map((received) => isSigned(secret, received))).toEqual([true]);
  });
});

describe('deliveries to one webhook', () => {
  test('keep their order within a call', async () => {
    const { sink, webhook } = await service.addSink();
    sink.answer = (response) => response.writeHead(sink.received.length === 1 ? 500 : 200).end();
    for (const text of ['one', 'two', 'three'])
      await service.addEvent('call-1', { data: { text } });

    service.wake();
    await service.tried(webhook.id, 1);
    service.sender.wake([webhook.id]);
    service.wake();
    await settle();
    const requestCount = sink.received.length;
    service.clock.advance(5_000);
    service.sender.wake([webhook.id]);
    service.wake();
    await service.delivered(webhook.id, 3);

    expect(requestCount).toBe(1);
    expect(sink.received.map(({ payload }) => payload.data['text'])).toEqual([
      'one',
      'one',
      'two',
      'three',
    ]);
    expect(sink.received[0]?.id).toBe(sink.received[1]?.id);
  });

  test('of different calls do not wait for each other', async () => {
    const { sink, webhook } = await service.addSink();
    sink.answer = (response, { payload }) =>
      response.writeHead(payload.data['subject'] === 'call-1' ? 500 : 200).end();
    await service.addEvent('call-1');
    await service.addEvent('call-1');
    await service.addEvent('call-2');

    service.wake();
    await service.delivered(webhook.id, 1);

    const tried = sink.received.map(({ payload }) => payload.data['subject']);
    expect(tried).toHaveLength(2);
    expect(new Set(tried)).toEqual(new Set(['call-1', 'call-2']));
  });

  test('do not wait for another, slow webhook', async () => {
    const slow = await service.addSink();
    slow.sink.answer = () => {};
    const fast = await service.addSink();
    for (let call = 1; call <= 20; call += 1) await service.addEvent(`call-${call}`);

    service.wake();
    await service.delivered(fast.webhook.id, 20);

    expect(slow.sink.received.length).toBeLessThanOrEqual(10);
  });
});

describe('the number of concurrent attempts', () => {
  let crowd: DeliveryService;
  let waiting: { url: string; answer: (status: number) => void }[];
  beforeEach(async () => {
    waiting = [];
    crowd = await openDeliveries({
      post: ({ url }) => new Promise((answer) => waiting.push({ url, answer })),
    });
  });
  afterEach(async () => {
    const closed = crowd.close();
    for (const { answer } of waiting) answer(204);
    await closed;
  });

  const addEvents = async (count: number) => {
    for (let call = 1; call <= count; call += 1) await crowd.addEvent(`call-${call}`);
    crowd.wake();
  };
  /** Time for an attempt beyond the limit to show. */
  const settleQueue = async () => {
    for (let round = 0; round < 10; round += 1) await crowd.queue.waiting(0);
  };

  test('is ten per webhook', async () => {
    await crowd.addWebhook();

    await addEvents(12);
    await until(() => waiting.length === 10);
    await settleQueue();
    const atFirst = waiting.length;
    waiting[3]?.answer(204);
    await until(() => waiting.length === 11);

    expect(atFirst).toBe(10);
  });

  test('is one for a failing webhook until a delivery succeeds', async () => {
    const { id } = await crowd.addWebhook();
    await addEvents(1);
    await until(() => waiting.length === 1);
    waiting[0]?.answer(500);
    await crowd.tried(id, 1);

    await addEvents(4);
    await until(() => waiting.length === 2);
    await settleQueue();
    const whileFailing = waiting.length;
    waiting[1]?.answer(204);
    await until(() => waiting.length === 4);

    expect(whileFailing).toBe(2);
  });

  test('is bounded in all, and each webhook gets its turn', async () => {
    const urls = Array.from({ length: 51 }, (_, place) => `https://receiver-${place}.example`);
    for (const url of urls) await crowd.addWebhook({ url });

    await addEvents(10);
    await until(() => waiting.length === 500);
    await settleQueue();
    const atFirst = waiting.map(({ url }) => url);
    const crowdedOut = urls.filter((url) => !atFirst.includes(url));
    waiting[0]?.answer(204);
    await until(() => waiting.length === 501);

    expect(atFirst).toHaveLength(500);
    expect(crowdedOut).toHaveLength(1);
    expect(waiting[500]?.url).toBe(crowdedOut[0]);
  });
});
