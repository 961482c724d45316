/* A control plane's relay with rooms in which a worker returns each sound at once, as the floor. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { BOTROOM_PROTOCOL, readRecord, writeRecord } from '#protocol/botroom/records.ts';
import { systemClock } from '#shared/clock.ts';
import { createLog } from '#shared/log.ts';
import { UpgradeRouter } from '#shared/network/upgrade-router.ts';
import { ForwardedHandshakes } from '../../../../src/botrooms/forwarded-handshakes.ts';
import { Relay } from '../../../../src/botrooms/relay.ts';
import { refusedHandshakes } from '../../../../src/http/limits/refused-handshakes.ts';
import { answer } from '../../rpc.ts';

const log = createLog({ name: 'echo', level: 'error' });
const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
const upgrades = new UpgradeRouter(log);
upgrades.serve(server);
const secret = randomBytes(32);
const relay = new Relay({
  upgrades,
  forwarded: new ForwardedHandshakes({ secret, proxies: null, clock: systemClock }),
  refused: refusedHandshakes(systemClock, null),
  bus: null,
  nodeUrl: () => `http://${address}`,
  secret,
  clock: systemClock,
  log,
});

async function open(): Promise<{ id: string; url: string; token: string }> {
  const { id, path, clientToken, avatarToken } = await relay.create();
  const url = `ws://${address}${path}`;
  const worker = new WebSocket(`${url}?epoch=1`, [BOTROOM_PROTOCOL, avatarToken], {
    perMessageDeflate: false,
  });
  worker.on('message', (data) => {
    const { type, header, blob } = readRecord(data as Buffer);
    if (type === 'audio') worker.send(writeRecord('audio', header, blob));
  });
  await once(worker, 'open');
  // The client is ready without a picture.
  worker.send(writeRecord('ready'));
  return { id, url, token: clientToken };
}

answer({ open });
