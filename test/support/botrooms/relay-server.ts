import { createServer } from 'node:http';
import { expect } from 'vitest';
import type { Networks } from '#shared/network/networks.ts';
import { UpgradeRouter } from '#shared/network/upgrade-router.ts';
import type { NewBotroom } from '../../../src/botrooms/botroom-rooms.ts';
import { ForwardedHandshakes } from '../../../src/botrooms/forwarded-handshakes.ts';
import { Relay, type BotroomNotices, type RelayParts } from '../../../src/botrooms/relay.ts';
import { refusedHandshakes } from '../../../src/http/limits/refused-handshakes.ts';
import { quietLog } from '../fleet/control-plane.ts';
import { TestClock } from '../test-clock.ts';
import { BotroomPeer } from './botroom-peer.ts';
import { listen } from '../loopback.ts';

export const SECRET = Buffer.alloc(32, 'relay');

export type RelayServer = Awaited<ReturnType<typeof startRelay>>;

type RelayServerOptions = Partial<Pick<RelayParts, 'bus' | 'nodeUrl' | 'secret'>> & {
  clock?: TestClock;
  port?: number;
  proxies?: Networks | null;
};

/** A relay on a real server. Time stands still. */
export async function startRelay(options: RelayServerOptions = {}) {
  const clock = options.clock ?? new TestClock();
  const server = createServer((_request, response) => response.end('the API'));
  const port = await listen(server, options.port);
  const url = `http://127.0.0.1:${port}`;
  const secret = options.secret ?? SECRET;
  const forwarded = new ForwardedHandshakes({ secret, proxies: options.proxies ?? null, clock });
  const upgrades = new UpgradeRouter(quietLog, (request) => forwarded.addressOf(request));
  upgrades.serve(server);
  const relay = new Relay({
    upgrades,
    refused: refusedHandshakes(clock, null),
    forwarded,
    bus: null,
    nodeUrl: () => url,
    clock,
    log: quietLog,
    ...options,
    secret,
  });
  const peers: BotroomPeer[] = [];
  const connect = async (path: string, token: string | null, headers?: Record<string, string>) => {
    const peer = new BotroomPeer(`${url}${path}`, token, headers);
    peers.push(peer);
    await peer.opened;
    return peer;
  };
  const client = ({ path, clientToken }: NewBotroom) => connect(path, clientToken);
  const worker = ({ path, avatarToken }: NewBotroom, epoch = 1) =>
    connect(`${path}?epoch=${epoch}`, avatarToken);
  let isStopped = false;

  return {
    url,
    port,
    clock,
    relay,
    server,
    upgrades,
    connect,
    client,
    worker,
    /** A client and the worker that performs for it. */
    async pair(room: NewBotroom) {
      const pair = { client: await client(room), worker: await worker(room) };
      await pair.worker.hears('presence');
      return pair;
    },
    /** As when the process stops. */
    async stop(): Promise<void> {
      if (isStopped) return;
      isStopped = true;
      await relay.close();
      server.close();
      server.closeAllConnections();
    },
    /** Fails when anything is left open. */
    async close(): Promise<void> {
      await this.stop();
      for (const peer of peers) peer.cut();
      expect(clock.waiting, 'timers left').toBe(0);
    },
  };
}

/** Connects relays of several control planes. */
export function fakeBus(): () => NonNullable<RelayParts['bus']> {
  type Listener = (notice: BotroomNotices['botroom_ended']) => void;
  const nodes: Listener[][] = [];
  return () => {
    const listeners: Listener[] = [];
    nodes.push(listeners);
    return {
      onNotice: (_type, listener) => void listeners.push(listener),
      async publish(_node, _type, notice) {
        for (const node of nodes)
          if (node !== listeners) for (const listener of node) listener(notice);
      },
    };
  };
}
