import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { parseNetworks, type Networks } from '#shared/network/networks.ts';
import type { UpgradeRoute } from '#shared/network/upgrade-router.ts';
import type { NewBotroom } from '../../src/botrooms/botroom-rooms.ts';
import { recordCodec } from '../../src/botrooms/client-codec.ts';
import { ForwardedHandshakes } from '../../src/botrooms/forwarded-handshakes.ts';
import { SeatTokens } from '../../src/botrooms/tokens.ts';
import { TestClock } from '../support/test-clock.ts';
import { fakeBus, SECRET, startRelay, type RelayServer } from '../support/botrooms/relay-server.ts';
import { until } from '../support/until.ts';

const servers: RelayServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  // A forwarded socket is broken without a word when its control plane stops.
  await until(() => servers.every(({ clock }) => clock.waiting === 0));
  for (const server of servers.splice(0)) await server.close();
});

/** Two control planes that share a bus: the room is at `home`. */
async function twoNodes(proxies: Networks | null = null) {
  const clock = new TestClock();
  const bus = fakeBus();
  const home = await startRelay({ clock, bus: bus() });
  const otherNode = await startRelay({ clock, bus: bus(), proxies });
  servers.push(home, otherNode);
  return { clock, home, other: otherNode, room: await home.relay.create() };
}

const vendorRoute = ({ relay }: RelayServer, { avatarToken }: NewBotroom): UpgradeRoute => ({
  matches: (path) => path === '/vendor',
  admit: (upgrade) => relay.seatClient(avatarToken, upgrade, recordCodec),
});

/** The addresses of vendor clients there, as everything that limits them sees it. */
function addressesAt(node: RelayServer, room: NewBotroom): (string | undefined)[] {
  const addresses: (string | undefined)[] = [];
  const route = vendorRoute(node, room);
  node.upgrades.add({
    ...route,
    admit(upgrade) {
      addresses.push(upgrade.request.socket.remoteAddress);
      return route.admit(upgrade);
    },
  });
  return addresses;
}

/** The header for a client at 203.0.113.9. */
function signedFor(url: string, { secret = SECRET, ago = 0 } = {}) {
  return (clock: TestClock): string => {
    const signer = new ForwardedHandshakes({
      secret,
      proxies: null,
      clock: { now: () => clock.now() - ago },
    });
    const socket = { remoteAddress: '203.0.113.9' };
    const headers = signer.headersOf({ url, headers: {}, socket } as unknown as IncomingMessage);
    return String(headers['x-troupe-forwarded']);
  };
}

describe('a control plane without the room', () => {
  test('passes client and worker on to the one that has it', async () => {
    const { home, other: otherNode, room } = await twoNodes();

    const client = await otherNode.client(room);
    const worker = await otherNode.worker(room);
    await worker.hears('presence');
    client.say(1);
    worker.show(2, 300_000);

    await worker.hears('presence', 'audio 1');
    await client.hears('ready', 'video 2');
    expect(client.socket.protocol).toBe('protoface.pipecat.media.v1');
    expect([home.relay.size, otherNode.relay.size]).toEqual([1, 0]);
  });

  test('passes the client of a vendor adapter on', async () => {
    const { home, other: otherNode, room } = await twoNodes();
    for (const node of [home, otherNode]) node.upgrades.add(vendorRoute(node, room));

    const client = await otherNode.connect('/vendor', null);
    const worker = await home.worker(room);
    worker.show(2);

    await client.hears('ready', 'video 2');
  });

  test('passes the address of the client on', async () => {
    const { home, other: otherNode, room } = await twoNodes(parseNetworks('127.0.0.1/32'));
    const addresses = addressesAt(home, room);
    otherNode.upgrades.add(vendorRoute(otherNode, room));

    await otherNode.connect('/vendor?a=1', null, {
      'x-forwarded-for': '198.51.100.7, 203.0.113.9',
    });

    expect(addresses).toEqual(['203.0.113.9']);
  });

  test.each([
    { what: 'not signed', header: () => '1' },
    {
      what: 'signed with another secret',
      header: signedFor('/vendor', { secret: Buffer.alloc(32) }),
    },
    { what: 'signed for another path', header: signedFor('/vendor?b=2') },
    { what: 'older than a minute', header: signedFor('/vendor', { ago: 60_000 }) },
  ])('is not believed when its header is $what', async ({ header }) => {
    const { home, room } = await twoNodes();
    const addresses = addressesAt(home, room);

    await home.connect('/vendor', null, { 'x-troupe-forwarded': header(home.clock) });

    expect(addresses).toEqual(['127.0.0.1']);
  });

  test('passes no handshake on while it stops', async () => {
    const { home, other: otherNode, room } = await twoNodes();
    const passedOn: unknown[] = [];
    home.server.on('upgrade', () => passedOn.push(1));
    // After the token has been read, and before it is verified.
    otherNode.server.on('upgrade', () => void otherNode.relay.close());

    await expect(otherNode.client(room)).rejects.toThrow('socket hang up');

    expect(passedOn).toEqual([]);
  });

  test('passes the reason of a close on', async () => {
    const { home, other: otherNode, room } = await twoNodes();
    const client = await otherNode.client(room);

    await home.relay.end({ token: room.avatarToken }, 'time_limit');

    expect(await client.closes()).toEqual({
      code: 4410,
      reason: 'The session is over: time_limit.',
    });
  });

  test('notices when the client is gone', async () => {
    const { home, other: otherNode, room } = await twoNodes();
    const client = await otherNode.client(room);
    const worker = await home.worker(room);
    await worker.hears('presence');

    client.cut();

    await worker.hears('presence', 'presence');
  });

  test('ends the room wherever it is', async () => {
    const { other: otherNode, home, room } = await twoNodes();
    const client = await home.client(room);

    await otherNode.relay.end({ token: room.avatarToken }, 'removed');

    expect((await client.closes()).reason).toBe('The session is over: removed.');
  });

  test('breaks the sockets that it passed on when it stops', async () => {
    const { other: otherNode, home, room } = await twoNodes();
    const client = await otherNode.client(room);
    const worker = await home.worker(room);
    await worker.hears('presence');

    await otherNode.stop();

    expect((await client.closes()).code).toBe(1006);
    await worker.hears('presence', 'presence');
  });

  test('answers 502 when the other one is gone', async () => {
    const { other: otherNode, home, room } = await twoNodes();
    await home.stop();

    await expect(otherNode.client(room)).rejects.toThrow('502');
  });

  test('answers 502 when the other one says nothing', async () => {
    const silent = createServer();
    silent.on('upgrade', () => {});
    const node = await addressOf(silent);
    const { clock, other: otherNode } = await twoNodes();
    const token = await new SeatTokens(SECRET, clock).sign({ room: 'a', seat: 'client', node });
    const refused = otherNode.connect('/v1/botrooms/a', token).catch((error: unknown) => error);
    await until(() => clock.dueIn(5_000) > 0);

    clock.advance(5_000);

    expect(String(await refused)).toContain('502');
    silent.close();
    silent.closeAllConnections();
  });

  test('passes a refusal on', async () => {
    const busy = createServer((_request, response) => response.writeHead(503).end());
    const node = await addressOf(busy);
    const { clock, other: otherNode } = await twoNodes();
    const token = await new SeatTokens(SECRET, clock).sign({ room: 'a', seat: 'client', node });

    await expect(otherNode.connect('/v1/botrooms/a', token)).rejects.toThrow('503');

    busy.close();
  });

  test('does not pass on what was passed on: addresses that disagree make no loop', async () => {
    const bus = fakeBus();
    const clock = new TestClock();
    // It calls itself by another address than the one it is reached at.
    const confused = await startRelay({ clock, bus: bus(), nodeUrl: () => 'http://elsewhere' });
    servers.push(confused);
    const node = confused.url;
    const token = await new SeatTokens(SECRET, clock).sign({ room: 'a', seat: 'client', node });

    await expect(confused.connect('/v1/botrooms/a', token)).rejects.toThrow('421');
  });
});

test('a control plane by itself relays rooms of its former address', async () => {
  const formerNode = await startRelay();
  const room = await formerNode.relay.create();
  await formerNode.stop();
  formerNode.clock.advance(1_000);

  const node = await startRelay({ clock: formerNode.clock });
  servers.push(node);
  const worker = await node.worker(room);

  await worker.hears('presence');
});

test('the client of a vendor adapter may return before the worker when the control plane restarts', async () => {
  const before = await startRelay();
  const { avatarToken, ...room } = await before.relay.create();
  await before.stop();
  before.clock.advance(1_000);
  const node = await startRelay({ clock: before.clock });
  servers.push(node);
  node.upgrades.add({
    matches: (path) => path === '/vendor',
    admit: (upgrade) => node.relay.seatClient(avatarToken, upgrade, recordCodec),
  });

  const client = await node.connect('/vendor', null);
  const worker = await node.worker({ ...room, avatarToken });
  worker.show(2);

  await client.hears('ready', 'video 2');
});

async function addressOf(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
