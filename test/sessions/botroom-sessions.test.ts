/* Sessions whose room is relayed here, over real sockets. Time stands still. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { usualTimes } from '../../src/sessions/session-times.ts';
import { BotroomPeer } from '../support/botrooms/botroom-peer.ts';
import { buildApp, NORA, type BuiltApp } from '../support/api/build-app.ts';
import { loseWorker } from '../support/api/lose-worker.ts';
import { newPlace, type Place } from '../support/records/database.ts';
import { TestClock } from '../support/test-clock.ts';
import type { SimulatedWorker } from '../support/simulated-worker.ts';

const MINUTE_MS = 60_000;
const STEP_MS = 5_000;

let place: Place;
let service: BuiltApp;
let peers: BotroomPeer[];
beforeEach(async () => {
  place = await newPlace();
  service = await buildApp({ place });
  peers = [];
});
afterEach(async () => {
  await service.close();
  for (const peer of peers) peer.cut();
  await place.remove();
});

type Opened = { id: string; url: string; token: string };

async function open(fields: object = {}, headers: Record<string, string> = {}): Promise<Opened> {
  const payload = { avatar_id: NORA, transport: 'botroom', ...fields };
  // The answer names the address that the caller used.
  const host = new URL(service.url).host;
  const reply = await service.call('POST', '/v1/sessions', {
    payload,
    headers: { ...headers, host },
  });
  expect(reply.statusCode).toBe(201);
  return reply.json();
}

async function connect(url: string, token: string): Promise<BotroomPeer> {
  const peer = new BotroomPeer(url, token);
  peers.push(peer);
  await peer.opened;
  return peer;
}
const client = ({ url, token }: Opened) => connect(url, token);

/** The worker takes its next session and dials in, as a real one does. */
async function perform(worker: SimulatedWorker) {
  const { placement, room } = await worker.next('assign');
  const leg = await connect(`${service.url}${room.url}?epoch=${placement.epoch}`, room.token);
  return { placement, leg };
}

/** A session whose picture has arrived. */
async function openShownSession(fields: object = {}) {
  const opened = await open(fields);
  const bot = await client(opened);
  const worker = service.workers[0]!;
  const { placement, leg } = await perform(worker);
  leg.show(1);
  await worker.started(placement);
  await bot.hears('ready', 'video 1');
  return { opened, bot, worker, placement, leg };
}

/** In steps that connected peers survive: each answers the relay's pings. */
async function stayFor(ms: number): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= STEP_MS) {
    service.clock.advance(Math.min(leftMs, STEP_MS));
    // The answer to a second ping arrives after the relay has read the answers to its own.
    await Promise.all(peers.map(thereAndBack));
    await Promise.all(peers.map(thereAndBack));
  }
}

async function thereAndBack({ socket }: BotroomPeer): Promise<void> {
  if (socket.readyState !== WebSocket.OPEN) return;
  const stop = new AbortController();
  const answered = ['pong', 'close'].map((event) => once(socket, event, { signal: stop.signal }));
  socket.ping();
  await Promise.race(answered);
  stop.abort();
}

const closing = (reason: string) => ({ code: 4410, reason: `The session is over: ${reason}.` });

describe('a session in a botroom', () => {
  test('ends both sockets with its reason', async () => {
    const { opened, bot, leg } = await openShownSession();

    await service.call('POST', `/v1/sessions/${opened.id}/end`);

    expect(await bot.closes()).toEqual(closing('ended_by_client'));
    expect(await leg.closes()).toEqual(closing('ended_by_client'));
    // Protoface's client raises it, also where its own program has ended the session.
    expect(bot.of('error')).toEqual([]);
  });

  test('ends at its time limit', async () => {
    const { bot } = await openShownSession({ max_session_length_minutes: 1 });

    await stayFor(MINUTE_MS);

    expect(await bot.closes()).toEqual(closing('time_limit'));
    expect(bot.of('error').map(({ header }) => header)).toEqual([
      { message: 'The session is over: time_limit.' },
    ]);
  });

  test('ends when its worker says so', async () => {
    const { bot, worker, placement } = await openShownSession();

    await worker.ended(placement, 'agent_left');

    expect(await bot.closes()).toEqual(closing('agent_left'));
  });

  test('ends when its avatar never comes', async () => {
    const bot = await client(await open());
    await perform(service.workers[0]!);

    await stayFor(usualTimes.startMs);

    expect(await bot.closes()).toEqual(closing('never_started'));
  });

  test('lets nobody in afterwards', async () => {
    const { opened, bot } = await openShownSession();
    await service.call('POST', `/v1/sessions/${opened.id}/end`);
    await bot.closes();

    const late = await client(opened);

    expect((await late.closes()).code).toBe(4410);
  });

  test("keeps the client's socket when its worker dies", async () => {
    const { opened, bot, worker, leg } = await openShownSession();
    const otherWorker = await service.join();

    await loseWorker(service, () => {
      leg.cut();
      worker.crash();
    });
    const nextPerformance = await perform(otherWorker);
    bot.say(7);
    await nextPerformance.leg.hears('presence', 'audio 7');
    nextPerformance.leg.show(2);

    await bot.hears('ready', 'video 1', 'video 2');
    expect(nextPerformance.placement).toEqual({ sessionId: opened.id, epoch: 2 });
    expect(bot.closed).toBeNull();
  });

  test('goes on after a restart of its control plane', async () => {
    const { opened, bot, worker, leg } = await openShownSession();
    const assigned = worker.performing.get(opened.id)!;
    await service.close();
    expect([await bot.closes(), await leg.closes()].map(({ code }) => code)).toEqual([1001, 1001]);

    // A token from before its start lets it make the room again.
    const clock = new TestClock(service.clock.now() + 1_000);
    service = await buildApp({ place, slots: 0, clock });
    const returningWorker = await service.join({
      workerId: worker.workerId,
      ...(worker.secret !== undefined && { secret: worker.secret }),
      slots: 1,
    });
    returningWorker.performing.set(opened.id, assigned);
    returningWorker.register();
    const { pathname } = new URL(opened.url);
    const returned = await connect(`${service.url}${pathname}`, opened.token);
    const { url, token } = assigned.room;
    const newLeg = await connect(`${service.url}${url}?epoch=1`, token);
    newLeg.show(3);
    await returned.hears('ready', 'video 3');
    await service.call('POST', `/v1/sessions/${opened.id}/end`);

    expect(await returned.closes()).toEqual(closing('ended_by_client'));
  });
});

describe('a client that connects late', () => {
  test('needs a fresh token, which its repeated request gets', async () => {
    const key = { 'idempotency-key': 'key-1' };
    const firstSession = await open({}, key);
    const { placement } = await perform(service.workers[0]!);
    await service.workers[0]!.started(placement);
    service.clock.advance(11 * MINUTE_MS);
    const late = await client(firstSession);
    expect((await late.closes()).code).toBe(4401);

    const secondSession = await open({}, key);

    expect(secondSession).toMatchObject({ id: firstSession.id, url: firstSession.url });
    const bot = await client(secondSession);
    expect(bot.closed).toBeNull();
    await service.call('POST', `/v1/sessions/${firstSession.id}/end`);
    expect(await bot.closes()).toEqual(closing('ended_by_client'));
  });
});
