import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  createOutgoing,
  LOOPBACK_NETWORKS,
  type Outgoing,
} from '#shared/network/address-policy.ts';
import { explain, httpPost } from '../../src/egress/post.ts';
import { WebhookSink } from '../support/api/webhook-sink.ts';
import { PATIENCE_MS } from '../support/patience.ts';

let sink: WebhookSink;
beforeEach(async () => {
  sink = await WebhookSink.open();
});
afterEach(() => sink.close());

const post = (url: string, outgoing: Outgoing = createOutgoing(LOOPBACK_NETWORKS)) =>
  httpPost(outgoing)({ url, headers: {}, body: '{}', signal: AbortSignal.timeout(PATIENCE_MS) });

const whyNot = async (answer: Promise<unknown>): Promise<string> => {
  const error: unknown = await answer.then(
    () => null,
    (reason: unknown) => reason,
  );
  return explain(error);
};

describe('a webhook request', () => {
  test('is not sent to a refused literal address', async () => {
    const why = await whyNot(post(sink.url, createOutgoing('')));

    expect(why).toMatch(/private or reserved network/);
    expect(sink.received).toEqual([]);
  });

  test('is not sent to a name that now resolves to a private address', async () => {
    const rebound = createOutgoing('', (_name, _options, answer) =>
      answer(null, [{ address: '127.0.0.1', family: 4 }]),
    );
    const url = `https://receiver.example:${sink.port}/hook`;

    expect(rebound.checkUrl(url)).toBeNull();
    expect(await whyNot(post(url, rebound))).toBe(
      'The name points into a private or reserved network. The operator can allow it with ALLOWED_NETWORKS.',
    );
  });

  test('is sent to the checked address of its name', async () => {
    const local = createOutgoing(LOOPBACK_NETWORKS, (_name, _options, answer) =>
      answer(null, [{ address: '127.0.0.1', family: 4 }]),
    );

    expect(await post(`http://hook.localhost:${sink.port}/`, local)).toBe(204);
    expect(sink.received[0]?.headers.host).toBe(`hook.localhost:${sink.port}`);
  });

  test('explains a failed lookup', async () => {
    const unknown = createOutgoing('', (_name, _options, answer) =>
      answer(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []),
    );

    expect(await whyNot(post('https://nobody.example/', unknown))).toBe(
      'The host name was not found.',
    );
  });
});

describe('a receiver that does not speak HTTP', () => {
  let server: Server;
  afterEach(() => server.close());

  const answer = async (reply: (text: string) => string | null): Promise<string> => {
    server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => {
        const text = reply(String(data));
        if (text === null) socket.destroy();
        else socket.end(text);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return whyNot(post(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`));
  };

  test.each([
    { does: 'closes', reply: () => null, why: 'The connection was closed without an answer.' },
    { does: 'says nothing', reply: () => '', why: 'The connection was closed without an answer.' },
    { does: 'talks', reply: () => 'hello\r\n', why: 'The request failed (HPE_INVALID_CONSTANT).' },
    {
      does: 'changes the protocol',
      reply: () => 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      why: 'The connection was closed without an answer.',
    },
    {
      does: 'sends headers without end',
      reply: () => `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
      why: 'The request failed (HPE_HEADER_OVERFLOW).',
    },
  ])('is no receiver: it $does', async ({ reply, why }) => {
    expect(await answer(reply)).toBe(why);
  });
});
