import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Room } from '@livekit/rtc-node';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RoomRelay } from '../../../../../workers/avatar/transport/mediaserver/room-relay.ts';
import { quietLog } from '../../../../support/fleet/control-plane.ts';
import { TestClock } from '../../../../support/test-clock.ts';
import { until } from '../../../../support/until.ts';

let clock: TestClock;
let relay: RoomRelay;
let servers: Server[];
/** The ends of tunnels at their servers. */
let served: Socket[];
/** Whether the name server has an address of the media server. */
let isKnown: boolean;
const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

beforeEach(async () => {
  servers = [];
  served = [];
  clock = new TestClock();
  isKnown = true;
  relay = await RoomRelay.open({
    clock,
    log: quietLog,
    resolve: (name, _options, answer) => {
      if (name === 'media.example' && isKnown) answer(null, [{ address: '127.0.0.1', family: 4 }]);
      else answer(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), []);
    },
  });
});
afterEach(async () => {
  await relay.close();
  for (const socket of served) socket.destroy();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** A server that records the paths it is asked for. */
async function serve(status: number, headers: Record<string, string> = {}, host = '127.0.0.1') {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url?.replace(/\?.*/, '') ?? '');
    response.writeHead(status, headers).end('inside');
  }).listen(0, host);
  await once(server, 'listening');
  servers.push(server);
  return { paths, port: (server.address() as AddressInfo).port };
}

const basic = (proxy: URL) =>
  `Basic ${Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64')}`;
const plain = () => new URL(relay.environment['HTTP_PROXY'] ?? '');
const tls = () => new URL(relay.environment['HTTPS_PROXY'] ?? '');

/** The relay's answer to CONNECT. */
async function open(target: string, proxy: URL, key = basic(proxy)) {
  const connectRequest = request({
    host: proxy.hostname,
    port: proxy.port,
    method: 'CONNECT',
    path: target,
    headers: { 'proxy-authorization': key },
    agent: false,
  }).end();
  const [answer, socket] = await once(connectRequest, 'connect');
  return { status: answer.statusCode as number, socket: socket as Socket };
}

/** The status of the relay's answer to CONNECT. */
async function connect(target: string, proxy: URL, key = basic(proxy)): Promise<number> {
  const { status, socket } = await open(target, proxy, key);
  socket.destroy();
  return status;
}

/** Both ends of a tunnel. The server keeps its end open until a test ends it. */
async function openTunnel(): Promise<{ client: Socket; server: Socket }> {
  const listener = net.createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  relay.admit({ url: `ws://127.0.0.1:${port}` });
  const [{ socket: client }, [server]] = await Promise.all([
    open(`127.0.0.1:${port}`, plain()),
    once(listener, 'connection') as Promise<[Socket]>,
  ]);
  listener.close();
  served.push(server);
  return { client, server };
}

async function get(url: string, key = basic(plain())): Promise<{ status: number; body: string }> {
  const { hostname, port } = plain();
  const headers = { 'proxy-authorization': key, host: new URL(url).host };
  const getRequest = request({ host: hostname, port, path: url, headers, agent: false }).end();
  const [answer] = await once(getRequest, 'response');
  let body = '';
  for await (const chunk of answer) body += String(chunk);
  return { status: answer.statusCode, body };
}

describe('the relay', () => {
  test("connects to the operator's media server at any address", async () => {
    const { port, paths } = await serve(200);
    relay.admit({ url: `ws://127.0.0.1:${port}` });

    expect(await connect(`127.0.0.1:${port}`, plain())).toBe(200);
    expect(await get(`http://127.0.0.1:${port}/rtc/validate?x=1`)).toEqual({
      status: 200,
      body: 'inside',
    });
    expect(paths).toEqual(['/rtc/validate']);
  });

  test("connects to a caller's media server in the allowed networks only", async () => {
    const { port } = await serve(200);
    const admission = relay.admit({ url: `ws://media.example:${port}`, networks: '127.0.0.1/32' });

    expect(await connect(`media.example:${port}`, plain())).toBe(200);
    expect(admission.failure).toBeNull();

    admission.close();
    const refused = relay.admit({ url: `ws://media.example:${port}`, networks: '10.0.0.0/8' });
    expect(await connect(`media.example:${port}`, plain())).toBe(502);
    expect(await connect(`media.example:${port}`, tls())).toBe(502);
    expect(refused.failure).toContain(`media.example:${port} is not allowed.`);
  });

  test('connects to no private address that no room names, nor after the room is left', async () => {
    const { port, paths } = await serve(200);
    const url = `http://127.0.0.1:${port}/`;
    expect((await get(url)).status).toBe(502);
    expect(await connect(`127.0.0.1:${port}`, tls())).toBe(502);

    relay.admit({ url }).close();

    expect((await get(url)).status).toBe(502);
    expect(paths).toEqual([]);
  });

  test('connects without TLS only to the allowed networks', async () => {
    const admission = relay.admit({ url: 'ws://8.8.8.8', networks: '' });

    expect(await connect('8.8.8.8:80', plain())).toBe(502);
    expect(admission.failure).toMatch(/^8\.8\.8\.8:80 is not allowed\. Without TLS/);
  });

  test('serves only processes that know its secret', async () => {
    const { port } = await serve(200);
    relay.admit({ url: `ws://127.0.0.1:${port}` });
    const wrong = new URL(plain());
    wrong.password = 'x'.repeat(wrong.password.length);

    expect(await connect(`127.0.0.1:${port}`, plain(), '')).toBe(407);
    expect(await connect(`127.0.0.1:${port}`, plain(), basic(wrong))).toBe(407);
    expect((await get(`http://127.0.0.1:${port}/`, basic(tls()))).status).toBe(407);
  });

  test.each([
    ['wss://nobody.example', 'no address found for nobody.example:443'],
    ['wss://127.0.0.1:1', 'connection refused by 127.0.0.1:1'],
  ])('says why it has no connection to %s', async (url, failure) => {
    const admission = relay.admit({ url, networks: '127.0.0.1' });
    const { hostname, port } = new URL(url);
    await connect(`${hostname}:${port || 443}`, tls());

    expect(admission.failure).toBe(failure);
  });

  test('says nothing of a failure once it has a connection', async () => {
    const { port } = await serve(200);
    const url = `ws://media.example:${port}`;
    const admission = relay.admit({ url, networks: '127.0.0.1' });
    isKnown = false;
    await connect(`media.example:${port}`, plain());
    expect(admission.failure).toBe(`no address found for media.example:${port}`);
    isKnown = true;

    await connect(`media.example:${port}`, plain());

    expect(admission.failure).toBeNull();
  });

  // Some machines have no IPv6.
  test.skipIf(!hasIpv6)('connects to IPv6 addresses', async () => {
    const { port } = await serve(200, {}, '::1');
    relay.admit({ url: `ws://[::1]:${port}`, networks: '::1' });

    expect(await connect(`[::1]:${port}`, plain())).toBe(200);
    expect((await get(`http://[::1]:${port}/`)).body).toBe('inside');
    expect(await connect(`[::ffff:127.0.0.1]:${port}`, tls())).toBe(502);
  });

  test('breaks off an answer that its server breaks off', async () => {
    const server = net.createServer((socket) => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\ncut', () => socket.destroy());
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    relay.admit({ url: `ws://127.0.0.1:${port}` });

    await expect(get(`http://127.0.0.1:${port}/`)).rejects.toThrow('aborted');
    server.close();
  });
});

describe('a tunnel', () => {
  test('is closed soon after its client has ended it, even if its server has not', async () => {
    const { client, server } = await openTunnel();
    const closed = once(client.resume(), 'close');

    client.end();
    await once(server.resume(), 'end');
    await until(() => clock.dueIn(5_000) > 0);
    clock.advance(5_000);

    await closed;
    expect(clock.waiting).toBe(0);
  });

  test('is closed after a minute in which its server sent nothing', async () => {
    const { client, server } = await openTunnel();
    const closed = once(client, 'close');
    for (const word of ['one', 'two']) {
      server.write(word);
      expect(String(await once(client, 'data'))).toBe(word);
      clock.advance(60_000);
    }
    client.write('still here');
    expect(String(await once(server, 'data'))).toBe('still here');

    clock.advance(59_999);
    expect(clock.waiting).toBe(1);
    clock.advance(1);

    await closed;
    expect(clock.waiting).toBe(0);
  });

  test('is closed with the relay', async () => {
    const { client } = await openTunnel();
    const closed = once(client.resume(), 'close');

    await relay.close();

    await closed;
  });
});

const join = (url: string) =>
  new Room().connect(url, 'a.token.x', { autoSubscribe: false, dynacast: false }).then(
    () => 'joined',
    (error: Error) => error.message,
  );

describe("the media server's client", () => {
  let oldEnvironment: NodeJS.ProcessEnv;
  beforeEach(() => {
    oldEnvironment = { ...process.env };
    Object.assign(process.env, relay.environment);
  });
  afterEach(() => {
    for (const name of Object.keys(relay.environment)) {
      const value = oldEnvironment[name];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  test('reaches nothing but through the relay', async () => {
    const { port, paths } = await serve(401);

    await join(`ws://127.0.0.1:${port}`);
    expect(paths).toEqual([]);

    relay.admit({ url: `ws://127.0.0.1:${port}` });
    await join(`ws://127.0.0.1:${port}`);
    expect(paths).not.toEqual([]);
  });

  test('is not redirected into the private network', async () => {
    const inside = await serve(200, {}, '127.0.0.2');
    const location = `http://127.0.0.2:${inside.port}/latest/meta-data`;
    const outside = await serve(307, { location });
    relay.admit({ url: `ws://127.0.0.1:${outside.port}`, networks: '127.0.0.1/32' });

    await join(`ws://127.0.0.1:${outside.port}`);

    expect(outside.paths).not.toEqual([]);
    expect(inside.paths).toEqual([]);
  });
});
