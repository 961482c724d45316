import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { API_KEY, NORA, roomToken, WORKER_TOKEN } from '../../support/api/build-app.ts';
import { BotroomPeer } from '../../support/botrooms/botroom-peer.ts';
import {
  startTwoControlPlanes,
  type TwoControlPlanes,
} from '../../support/fleet/two-control-planes.ts';
import type { ControlProcess } from '../../support/processes/control-process.ts';
import { hasRedis } from '../../support/records/redis.ts';
import { SimulatedWorker } from '../../support/simulated-worker.ts';
import { until } from '../../support/until.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

type Body = { id: string; url: string; token: string; status: { type: string } };

async function call({ url }: ControlProcess, path: string, body?: object) {
  const response = await fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-api-key': API_KEY, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

/** An Ojin client whose avatar is in a LiveKit room of its own. */
const OJIN = new URLSearchParams({
  config_id: FIRST_AVATAR.alias,
  webrtc_version: '2',
  webrtc_provider: 'livekit',
  webrtc_room_url: 'wss://media.example',
});

/** A new key of the first account that only these addresses may use. */
async function keyFor({ url }: ControlProcess, network: string): Promise<string> {
  const account = '00000000-0000-4000-8000-000000000001';
  const reply = await fetch(`${url}/admin/accounts/${account}/keys`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${TROUPE_ADMIN_PASSWORD}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'limited', allowed_networks: [network] }),
  });
  return ((await reply.json()) as { key: string }).key;
}

/** The requests of a key so far, with this one. */
async function countOf({ url }: ControlProcess, key: string, localAddress: string) {
  const outgoing = request(`${url}/v1/auth/verify`, {
    localAddress,
    headers: { 'x-api-key': key },
  });
  const [{ headers }] = (await once(outgoing.end(), 'response')) as [IncomingMessage];
  return Number(headers['ratelimit-limit']) - Number(headers['ratelimit-remaining']);
}

// Needs redis-server on the PATH; test/support/records/redis.ts says so.
describe.skipIf(!hasRedis)('botrooms of two control planes', () => {
  let pair: TwoControlPlanes;
  let redis: Redis;
  let worker: SimulatedWorker;
  let peers: BotroomPeer[];
  let sockets: WebSocket[];
  beforeEach(async () => {
    pair = await startTwoControlPlanes({ TROUPE_ADMIN_PASSWORD });
    redis = new Redis(pair.redis.url);
    peers = [];
    sockets = [];
    // Its socket is at the control plane that relays nothing.
    worker = new SimulatedWorker({
      url: pair.planes[1].url,
      token: WORKER_TOKEN,
      avatars: [NORA],
    });
    await worker.join();
  });
  afterEach(async () => {
    for (const peer of peers) peer.cut();
    for (const socket of sockets) socket.terminate();
    await worker.close();
    redis.disconnect();
    await pair.close();
  });

  const ownerOf = (id: string) => redis.hget('{troupe}:homes', id);

  async function connect(url: string, token: string): Promise<BotroomPeer> {
    const peer = new BotroomPeer(url, token);
    peers.push(peer);
    await peer.opened;
    return peer;
  }

  /** A session of the first control plane, whose worker dials in at the second. */
  async function openShownSession() {
    const { body: opened } = await call(pair.planes[0], '/v1/sessions', {
      avatar_id: NORA,
      transport: 'botroom',
    });
    const bot = await connect(opened.url, opened.token);
    const { placement, room } = await worker.next('assign');
    const address = `${pair.planes[1].url}${room.url}?epoch=${placement.epoch}`;
    const leg = await connect(address, room.token);
    leg.show(1);
    await worker.started(placement);
    await bot.hears('ready', 'video 1');
    return { opened, bot, leg };
  }

  test('meet at the one that made the room', async () => {
    const { bot, leg } = await openShownSession();

    bot.say(7);

    await leg.hears('presence', 'audio 7');
  });

  test('end when the session is ended at the other one', async () => {
    const { opened, bot, leg } = await openShownSession();

    await call(pair.planes[1], `/v1/sessions/${opened.id}/end`, {});

    const closing = { code: 4410, reason: 'The session is over: ended_by_client.' };
    expect(await bot.closes()).toEqual(closing);
    expect(await leg.closes()).toEqual(closing);
  });

  test('end when another one has taken over their session', async () => {
    const { opened, bot } = await openShownSession();
    const [relaying, otherPlane] = pair.planes;
    // Silent for long enough to be taken for gone, while its sockets stay open.
    process.kill(relaying.pid, 'SIGSTOP');

    const former = await ownerOf(opened.id);
    await until(async () => (await ownerOf(opened.id)) !== former);

    await call(otherPlane, `/v1/sessions/${opened.id}/end`, {});
    process.kill(relaying.pid, 'SIGCONT');

    expect((await bot.closes()).code).toBe(4410);
  });

  test('close when the one that relays dies', async () => {
    const { opened, bot, leg } = await openShownSession();

    await pair.planes[0].kill();

    expect([(await bot.closes()).code, (await leg.closes()).code]).toEqual([1006, 1006]);
    const reply = await call(pair.planes[1], `/v1/sessions/${opened.id}`);
    expect(reply.body.status.type).toBe('ongoing');
  });

  test('pass on a client that connects at the one without the room', async () => {
    const { opened, bot, leg } = await openShownSession();
    const { pathname } = new URL(opened.url);

    const newBot = await connect(`${pair.planes[1].url}${pathname}`, opened.token);
    newBot.say(7);

    await leg.hears('presence', 'audio 7');
    await newBot.hears('ready', 'video 1');
    expect((await bot.closes()).code).toBe(4409);
    await pair.planes[0].kill();
    await expect(connect(`${pair.planes[1].url}${pathname}`, opened.token)).rejects.toThrow('502');
  });

  test('let a client in at the other one by a key for the network of the client', async () => {
    const localAddress = '127.0.0.5';
    const key = await keyFor(pair.planes[0], `${localAddress}/32`);
    const token = await roomToken(undefined, { exp: Math.floor(Date.now() / 1_000) + 3_600 });
    const headers = { authorization: key, 'x-ojin-webrtc-token': token };
    const ojin = ({ url }: ControlProcess) => {
      const socket = new WebSocket(`${url}/compat/ojin?${OJIN}`, { headers, localAddress });
      sockets.push(socket);
      return once(socket, 'message').then(([data]) => JSON.parse(String(data)) as object);
    };
    const firstSession = ojin(pair.planes[0]);
    const { speech } = await worker.next('assign');
    const leg = await connect(`${pair.planes[1].url}${speech!.url}?epoch=1`, speech!.token!);
    leg.send('ready');
    expect(await firstSession).toMatchObject({ type: 'sessionReady' });

    expect(await ojin(pair.planes[1])).toMatchObject({ type: 'sessionReady' });
    // Two connections and this request. A new minute may have begun in between.
    expect(await countOf(pair.planes[0], key, localAddress)).toBeLessThanOrEqual(3);
  });

  test('are told when the one that relays stops', async () => {
    const { bot, leg } = await openShownSession();

    await pair.planes[0].stop();

    const stopping = { code: 1001, reason: 'The service is stopping.' };
    expect(await bot.closes()).toEqual(stopping);
    expect(await leg.closes()).toEqual(stopping);
  });
});
