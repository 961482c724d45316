/*
 * DNS rebinding: a name is public when a caller saves its address and points into the private
 * network when the service connects. Each connection goes to an address that was checked for it.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AddressRefused, createOutgoing } from '#shared/network/address-policy.ts';
import { systemClock } from '#shared/clock.ts';
import { requestOutgoing } from '../../src/egress/outgoing-request.ts';
import { httpPost } from '../../src/egress/post.ts';
import { endpointFetch } from '../../workers/agent/endpoint-fetch.ts';
import { RoomRelay } from '../../workers/avatar/transport/mediaserver/room-relay.ts';
import { buildApp, NORA, roomToken } from '../support/api/build-app.ts';
import { quietLog } from '../support/fleet/control-plane.ts';
import { DnsServer } from '../support/dns-server.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const PUBLIC = '93.184.216.34';
const NAME = 'rebinds.example';
const ALLOWED_NETWORKS = '10.0.0.0/8';

let dns: DnsServer;
/** A server in the private network, and the paths that it was asked for. */
let inside: Server;
let port: number;
let requestedPaths: string[];

beforeEach(async () => {
  dns = await DnsServer.open();
  requestedPaths = [];
  inside = createServer((request, response) => {
    requestedPaths.push(request.url ?? '');
    response.end('a secret');
  }).listen(0, '127.0.0.1');
  await once(inside, 'listening');
  port = (inside.address() as AddressInfo).port;
});
afterEach(async () => {
  dns.close();
  inside.closeAllConnections();
  inside.close();
  await once(inside, 'close');
});

const request = () => ({ headers: {}, body: '{}', signal: AbortSignal.timeout(PATIENCE_MS) });

describe('a name that points inside after it was checked', () => {
  test('is a room that no worker connects to', async () => {
    dns.set(NAME, PUBLIC, '127.0.0.1');
    const service = await buildApp({ resolve: dns.resolve, env: { ALLOWED_NETWORKS } });
    const room = { url: `wss://${NAME}:${port}`, token: await roomToken() };
    const payload = { avatar_id: NORA, ...room };

    const created = await service.call('POST', '/v1/sessions', { payload });
    const assigned = await service.workers[0]!.next('assign');
    const relay = await RoomRelay.open({ clock: systemClock, log: quietLog, resolve: dns.resolve });
    const admission = relay.admit(assigned.room);
    const answer = await connectThrough(relay, 'HTTPS_PROXY', `${NAME}:${port}`);

    expect(created.statusCode).toBe(201);
    expect(assigned.room).toEqual({ ...room, networks: ALLOWED_NETWORKS });
    expect(answer).toMatch(/^HTTP\/1.1 502 /);
    expect(admission.failure).toBe(
      `${NAME}:${port} is not allowed. The name points into a private or reserved network. The operator can allow it with ALLOWED_NETWORKS.`,
    );
    expect([dns.queries, requestedPaths]).toEqual([[NAME, NAME], []]);
    await relay.close();
    await service.close();
  });

  test('is a model that no agent worker calls', async () => {
    dns.set(NAME, PUBLIC, '127.0.0.1');
    const policy = createOutgoing('', dns.resolve);
    const url = `http://${NAME}:${port}/v1`;
    const call = endpointFetch({ networks: '' }, dns.resolve);

    expect(await policy.mayReach(url)).toBeNull();
    await expect(call(`${url}/chat/completions`, { method: 'POST' })).rejects.toThrow(
      AddressRefused,
    );
    expect(requestedPaths).toEqual([]);
  });

  test('is an external API and a webhook that are not called', async () => {
    dns.set(NAME, '127.0.0.1');
    const outgoing = createOutgoing('', dns.resolve);

    const checked = requestOutgoing(outgoing)({
      ...request(),
      url: `http://${NAME}:${port}/`,
      maxBytes: 10,
    });
    await expect(checked).rejects.toThrow(AddressRefused);
    const delivery = httpPost(outgoing)({ ...request(), url: `https://${NAME}:${port}/` });
    await expect(delivery).rejects.toThrow(AddressRefused);
    expect(requestedPaths).toEqual([]);
  });
});

test('a connection goes to the address that was checked for it, with one lookup', async () => {
  dns.set(NAME, '127.0.0.1', '127.0.0.2');
  const relay = await RoomRelay.open({ clock: systemClock, log: quietLog, resolve: dns.resolve });
  relay.admit({ url: `ws://${NAME}:${port}`, networks: '127.0.0.1' });

  const answer = await connectThrough(relay, 'HTTP_PROXY', `${NAME}:${port}`, 'GET /in HTTP/1.0');

  expect(answer).toContain('a secret');
  expect([dns.queries, requestedPaths]).toEqual([[NAME], ['/in']]);
  await relay.close();
});

/** Sends CONNECT as the media server's client does, then `then`. Resolves with all answers. */
async function connectThrough(
  relay: RoomRelay,
  variable: 'HTTP_PROXY' | 'HTTPS_PROXY',
  target: string,
  then?: string,
): Promise<string> {
  const proxy = new URL(relay.environment[variable] ?? '');
  const key = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64');
  const socket = net.connect(Number(proxy.port), proxy.hostname);
  let text = '';
  socket.on('data', (data) => {
    if (text === '' && then !== undefined) socket.write(`${then}\r\n\r\n`);
    text += String(data);
  });
  socket.write(
    `CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\nproxy-authorization: Basic ${key}\r\n\r\n`,
  );
  await once(socket, 'close');
  return text;
}
