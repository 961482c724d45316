import { once } from 'node:events';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { LeftRoom } from '../../../../../workers/avatar/transport/transport.ts';
import type { PipecatLink } from '../../../../../workers/avatar/transport/pipecat/pipecat-link.ts';
import { BotStage } from '../../../../support/agents/linked-bot.ts';
import type { PipecatBot } from '../../../../support/agents/pipecat-bot.ts';
import { DnsServer } from '../../../../support/dns-server.ts';
import { TestCa } from '../../../../support/processes/proxies/certificates.ts';
import { until } from '../../../../support/until.ts';

const stage = new BotStage();

const AUDIO = { type: 'audio', sampleRate: 16_000, channels: 1 } as const;

/** How the link ends: the reason, or the refusal. */
const ending = (link: PipecatLink): Promise<unknown> =>
  link.ended.catch((error: unknown) =>
    error instanceof LeftRoom ? [error.reason, error.detail] : error,
  );

describe('a bot that refuses', () => {
  test.each([
    [401, 'refused the token'],
    [403, 'answered 403'],
    [404, 'answered 404'],
    [302, 'redirects to another address'],
  ])('by status %i is not asked again', async (status, detail) => {
    stage.bot.refusal = { status, headers: { location: 'ws://127.0.0.1:9/' } };
    const { link } = await stage.dialling();

    expect(await ending(link)).toEqual(['room_refused', `127.0.0.1:${stage.bot.port} ${detail}`]);
    expect(stage.bot.requests).toHaveLength(1);
  });

  test.each([
    [4003, 'wrong\u0000\ntoken', '4003 wrong  token'],
    [1008, '', '1008'],
  ])('by close code %i right after the handshake says why', async (code, reason, detail) => {
    const { link } = await stage.connected();

    stage.bot.socket.close(code, reason);

    expect(await ending(link)).toEqual([
      'room_refused',
      `127.0.0.1:${stage.bot.port} closed the connection: ${detail}`,
    ]);
  });

  test('because it is busy is asked for ten seconds', async () => {
    stage.bot.refusal = { status: 503 };
    const { link } = await stage.dialling();
    const ended = ending(link);

    const tooLateMs = 15_000;
    for (let tries = 1; stage.clock.elapsed() < tooLateMs; tries++) {
      await until(() => stage.bot.requests.length === tries);
      // The timer of the next attempt replaces the longer one of the handshake.
      await until(() => stage.clock.nextInMs === null || stage.clock.nextInMs <= 2_000);
      if (stage.clock.nextInMs === null) break;
      stage.clock.advance(stage.clock.nextInMs);
    }

    expect(await ended).toEqual(['room_refused', `127.0.0.1:${stage.bot.port} answered 503`]);
    expect(stage.bot.requests.length).toBeGreaterThan(5);
  });

  test('by silence is given up', async () => {
    stage.bot.isSilent = true;
    const { link } = await stage.dialling();
    await until(() => stage.bot.requests.length > 0);

    stage.clock.advance(15_000);

    expect(await ending(link)).toEqual([
      'room_refused',
      `no answer from 127.0.0.1:${stage.bot.port}`,
    ]);
  });

  test('with a certificate that nobody trusts', async () => {
    const server = createServer(new TestCa().issue());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { link } = await stage.dialling({ url: `wss://localhost:${port}/` });

    expect(await ending(link)).toEqual(['room_refused', `TLS with localhost:${port} failed`]);
    server.close();
  });

  test('without TLS where TLS is asked for', async () => {
    const { link } = await stage.dialling({ url: `wss://127.0.0.1:${stage.bot.port}/` });

    expect(await ending(link)).toEqual([
      'room_refused',
      `TLS with 127.0.0.1:${stage.bot.port} failed`,
    ]);
  });

  test('by speaking another protocol than HTTP', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.end('220 mail.example\r\n');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { link } = await stage.dialling({ url: `ws://127.0.0.1:${port}/` });

    expect(await ending(link)).toEqual([
      'room_refused',
      `127.0.0.1:${port} breaks the WebSocket protocol`,
    ]);
    server.close();
  });

  test.each<[string, (bot: PipecatBot) => void, string, number]>([
    ['a text', ({ socket }) => socket.send('{}'), 'does not send frames of Pipecat', 1003],
    [
      'no frame',
      ({ socket }) => socket.send(Buffer.of(7)),
      'does not send frames of Pipecat',
      1003,
    ],
    [
      'a message that is too long',
      ({ socket }) => socket.send(Buffer.alloc(2 ** 20 + 1)),
      'breaks the WebSocket protocol',
      1009,
    ],
    [
      'too many messages',
      ({ socket }) => {
        for (let i = 0; i < 4_001; i++) socket.send(Buffer.alloc(0));
      },
      'sends too much',
      1008,
    ],
  ])('is one that sends %s', async (_, misbehave, detail, code) => {
    const { link } = await stage.connected();
    const closed = once(stage.bot.socket, 'close');

    misbehave(stage.bot);

    expect(await ending(link)).toEqual(['room_refused', `127.0.0.1:${stage.bot.port} ${detail}`]);
    expect((await closed)[0]).toBe(code);
  });

  test('is left when it sends too many bytes in the middle of a conversation', async () => {
    const { presences } = await stage.connected();
    const closed = once(stage.bot.socket, 'close');

    for (let i = 0; i < 7; i++) {
      stage.bot.send({ ...AUDIO, audio: new Uint8Array(1_000_000) });
    }

    expect((await closed)[0]).toBe(1008);
    expect(presences()).toEqual([true, false]);
  });
});

describe('the address of a bot', () => {
  test.each([
    ['in a private network', 'wss://10.0.0.1/', 'The address is in a private or reserved network'],
    ['without TLS outside', 'ws://93.184.216.34/', 'Without TLS, only the networks'],
  ])('%s is not dialled', async (_, url, detail) => {
    const { link } = await stage.dialling({ url });

    expect(await ending(link)).toEqual(['room_refused', expect.stringContaining(detail)]);
  });

  test('of the operator may be anywhere', async () => {
    await stage.connected({ networks: null });

    expect(stage.bot.connections).toHaveLength(1);
  });

  test('is checked again at each connection', async () => {
    // Public when the session was made.
    const dns = await DnsServer.open();
    dns.set('rebinds.example', '127.0.0.1');

    const { link } = await stage.dialling({
      url: `ws://rebinds.example:${stage.bot.port}/`,
      networks: '10.0.0.0/8',
      resolve: dns.resolve,
    });

    expect(await ending(link)).toEqual([
      'room_refused',
      expect.stringContaining('The name points into a private or reserved network.'),
    ]);
    expect([dns.queries, stage.bot.requests]).toEqual([['rebinds.example'], []]);
    dns.close();
  });

  test('is the one that was checked, with one lookup', async () => {
    const dns = await DnsServer.open();
    dns.set('rebinds.example', '127.0.0.1', '127.0.0.2');

    await stage.connected({
      url: `ws://rebinds.example:${stage.bot.port}/`,
      resolve: dns.resolve,
    });

    expect(dns.queries).toEqual(['rebinds.example']);
    expect(stage.bot.requests[0]!.headers.host).toBe(`rebinds.example:${stage.bot.port}`);
    dns.close();
  });
});
