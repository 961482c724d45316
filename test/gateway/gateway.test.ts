import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CLOSE } from '#protocol/worker/close-codes.ts';
import { MAX_MESSAGE_BYTES, PROTOCOL_VERSION } from '#protocol/worker/worker-messages.ts';
import {
  ACCOUNT,
  request,
  startControlPlane,
  WORKER_TOKEN,
  type ControlPlane,
} from '../support/fleet/control-plane.ts';
import { until } from '../support/until.ts';

let plane: ControlPlane;
beforeEach(async () => {
  plane = await startControlPlane();
});
afterEach(() => plane.close());

const workers = async () => (await plane.fleet.counts()).workers;

describe('a connection to the gateway', () => {
  test('with a valid token is admitted and its slots are offered', async () => {
    await plane.worker({ slots: 3 }).join();

    expect(await plane.fleet.counts()).toMatchObject({ workers: 1, slots: 3, free: 3 });
  });

  test('with an invalid token is rejected before the upgrade', async () => {
    const worker = plane.worker({ token: `${WORKER_TOKEN}?` });

    await expect(worker.join()).rejects.toThrow('401');
    expect(await workers()).toBe(0);
  });

  test('with a revocable token is closed when the token is revoked', async () => {
    const { text, id } = await plane.workerTokens.make('rack 7');
    const otherToken = await plane.workerTokens.make('rack 8');
    const worker = await plane.worker({ token: text }).join();
    const unregistered = plane.worker({ token: text });
    await unregistered.connect();
    const stays = [
      await plane.worker().join(),
      await plane.worker({ token: otherToken.text }).join(),
    ];

    await plane.workerTokens.revoke(id);

    expect(await worker.closed()).toBe(CLOSE.token_revoked.code);
    expect(await unregistered.closed()).toBe(CLOSE.token_revoked.code);
    expect(stays.map(({ isConnected }) => isConnected)).toEqual([true, true]);
    await expect(plane.worker({ token: text }).join()).rejects.toThrow('401');
  });

  test('whose token is revoked loses its sessions to other workers at once', async () => {
    const { text, id } = await plane.workerTokens.make('rack 7');
    const worker = await plane.worker({ token: text }).join();
    await plane.creation.open(ACCOUNT, request());
    const { placement } = await worker.next('assign');
    const spare = await plane.worker().join();

    await plane.workerTokens.revoke(id);

    expect((await spare.next('assign')).placement).toEqual({ ...placement, epoch: 2 });
  });

  test('is answered 503 when its token cannot be looked up', async () => {
    plane.workerTokens.check = async () => {
      throw new Error('the database is away');
    };

    await expect(plane.worker({ token: 'any' }).join()).rejects.toThrow('503');
  });

  test('is rejected when the service stopped during the token lookup', async () => {
    const lookUp = Promise.withResolvers<void>();
    let isAsked = false;
    plane.workerTokens.check = async () => {
      isAsked = true;
      await lookUp.promise;
      return { tokenId: null, tokenHash: '', kind: null, pool: null };
    };
    const turnedAway = plane
      .worker()
      .connect()
      .catch((error: unknown) => error);
    await until(() => isAsked);

    const stopped = plane.stop();
    lookUp.resolve();

    expect(await turnedAway).toBeInstanceOf(Error);
    await stopped;
  });

  test('is destroyed after a rejection', async () => {
    const socket = connect({ port: plane.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(
      'GET /worker-gateway HTTP/1.1\r\nHost: gateway\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];

    await until(() => plane.connections() === 0);

    expect(answer.toString()).toContain('401 Unauthorized');
    socket.destroy();
  });

  test('with another upgrade goes to the API', async () => {
    const call = httpRequest(`${plane.url}/v1/avatars`, {
      headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' },
    }).end();

    const [response] = (await once(call, 'response')) as [IncomingMessage];

    response.resume();
    expect(response.statusCode).toBe(200);
  });

  test('is closed when it does not register in time', async () => {
    const worker = plane.worker();
    await worker.connect();

    await until(() => plane.clock.waiting > 0);
    plane.clock.advance(5_000);

    expect(await worker.closed()).toBe(CLOSE.not_registered.code);
  });

  test('does not register on a socket that is being closed', async () => {
    const joins = vi.spyOn(plane.fleet, 'join');
    const worker = plane.worker();
    await worker.connect();
    await until(() => plane.clock.waiting > 0);

    worker.register();
    plane.clock.advance(5_000);

    expect(await worker.closed()).toBe(CLOSE.not_registered.code);
    expect(joins).not.toHaveBeenCalled();
  });

  test('is closed when its first message is not a register', async () => {
    const worker = plane.worker();
    await worker.connect();

    worker.say({ type: 'pong' });

    expect(await worker.closed()).toBe(CLOSE.not_registered.code);
  });

  test('with another protocol version is closed for good, whatever its register contains', async () => {
    const worker = plane.worker();
    await worker.connect();

    worker.sayText(JSON.stringify({ type: 'register', protocol: PROTOCOL_VERSION + 1, seats: 4 }));

    expect(await worker.closed()).toBe(CLOSE.wrong_protocol.code);
    expect(CLOSE.wrong_protocol.comeBack).toBe(false);
  });

  test.each([
    ['no JSON', 'hello'],
    ['no message', '{"type":"sing"}'],
    ['a register without slots', JSON.stringify({ type: 'register', protocol: PROTOCOL_VERSION })],
  ])('is closed when it sends %s', async (_what, text) => {
    const worker = plane.worker();
    await worker.connect();

    worker.sayText(text);

    expect(await worker.closed()).toBe(CLOSE.bad_message.code);
  });

  test('is closed when a message exceeds the limit', async () => {
    const worker = await plane.worker().join();

    worker.sayText(JSON.stringify({ type: 'pong', padding: 'x'.repeat(MAX_MESSAGE_BYTES) }));

    expect(await worker.closed()).toBe(1009);
  });

  test('is closed when a registered worker sends an invalid message', async () => {
    const worker = await plane.worker().join();

    worker.sayText('{}');

    expect(await worker.closed()).toBe(CLOSE.bad_message.code);
    expect(await workers()).toBe(0);
  });

  test('is ignored after it was expelled', async () => {
    const worker = await plane.worker().join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    const { placement } = await worker.next('assign');

    worker.sayText('{}');
    worker.say({ type: 'started', id: 'report-1', placement, agoMs: 0 });

    expect(await worker.closed()).toBe(CLOSE.bad_message.code);
    expect(await plane.records.find(ACCOUNT.id, session.id)).toMatchObject({ status: 'to_start' });
  });

  test('is closed when a worker registers twice', async () => {
    const worker = await plane.worker().join();

    worker.register();

    expect(await worker.closed()).toBe(CLOSE.bad_message.code);
  });
});

describe('a connected worker', () => {
  test('is assigned a session with its room, avatar and video', async () => {
    const worker = await plane.worker().join();
    const { session } = await plane.creation.open(ACCOUNT, request());

    expect(await worker.next('assign')).toEqual({
      type: 'assign',
      placement: { sessionId: session.id, epoch: 1 },
      transport: 'mediaserver',
      room: { url: 'wss://rooms.example', token: 'a token' },
      avatarId: 'mira',
      video: { width: 512, height: 512, fps: 25 },
    });
  });

  test('reports its load', async () => {
    const worker = await plane.worker({ slots: 2 }).join();

    worker.say({ type: 'load', performing: 0, lateFrames: 0, draining: true });

    await until(async () => (await plane.fleet.counts()).draining === 1);
  });

  test('changes its abilities, and keeps its sessions', async () => {
    const worker = await plane.worker().join();
    await plane.creation.open(ACCOUNT, request());
    await worker.next('assign');

    worker.say({ type: 'abilities', abilities: ['hears:en'] });

    await until(async () => (await plane.fleet.workers())[0]?.facts.abilities[0] === 'hears:en');
    expect(await plane.fleet.workers()).toMatchObject([{ taken: 1, facts: { slots: 1 } }]);
    expect(worker.isConnected).toBe(true);
  });

  test('is told to drain', async () => {
    const worker = await plane.worker().join();

    await plane.fleet.drain(worker.workerId);

    expect(await worker.next('drain')).toEqual({ type: 'drain' });
  });

  test('that answers pings stays connected', async () => {
    const worker = await plane.worker().join();

    for (let beat = 0; beat < 10; beat += 1) {
      plane.clock.advance(3_000);
      await worker.next('ping');
      await until(() => worker.messages.length > beat);
    }

    expect(worker.closeCode).toBeNull();
  });

  test('that falls silent is closed and leaves the fleet', async () => {
    const worker = await plane.worker().join();
    worker.answersPings = false;

    plane.clock.advance(12_000);

    expect(await worker.closed()).toBe(CLOSE.silent.code);
    expect(await workers()).toBe(0);
  });

  test('that reconnects replaces its older connection', async () => {
    const older = await plane.worker({ workerId: 'worker-a', slots: 1 }).join();
    await plane.worker({ workerId: 'worker-a', slots: 5 }).join();

    expect(await older.closed()).toBe(CLOSE.replaced.code);
    expect(await plane.fleet.counts()).toMatchObject({ workers: 1, slots: 5 });
  });

  test('is not lost when its older connection closes', async () => {
    const older = await plane.worker({ workerId: 'worker-a' }).join();
    const newer = await plane.worker({ workerId: 'worker-a' }).join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    const { placement } = await newer.next('assign');
    await older.closed();

    await plane.stayFor(5_000);
    await newer.started(placement);

    expect(await plane.records.find(ACCOUNT.id, session.id)).toMatchObject({ status: 'ongoing' });
    expect(await workers()).toBe(1);
  });

  test('is told that the service is stopping', async () => {
    const worker = await plane.worker().join();

    await plane.stop();

    expect(await worker.closed()).toBe(CLOSE.service_stopping.code);
    expect(CLOSE.service_stopping.comeBack).toBe(true);
  });

  test('that does not close its socket is terminated when the service stops', async () => {
    const worker = await plane.worker().join();
    worker.stopReading();

    const stopped = plane.stop();
    plane.clock.advance(1_000);

    await stopped;
  });
});

describe('reports', () => {
  test('are acknowledged when they are recorded, also repeated ones', async () => {
    const worker = await plane.worker().join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    const { placement } = await worker.next('assign');

    await worker.started(placement);
    await worker.started(placement);
    await worker.ended(placement, 'agent_left');
    await worker.ended(placement, 'room_closed');

    expect(await plane.records.find(ACCOUNT.id, session.id)).toMatchObject({
      status: 'completed',
      endReason: 'agent_left',
    });
    expect(plane.eventNames).toEqual(['session.started', 'session.ended agent_left']);
    await worker.atRest();
    expect(worker.messages.some(({ type }) => type === 'end')).toBe(false);
  });

  test('are dated by their age', async () => {
    const worker = await plane.worker().join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    const { placement } = await worker.next('assign');
    plane.clock.advance(2_000);

    await worker.started(placement, 1_200);
    await worker.ended(placement, 'agent_left', 250.5);

    const now = plane.clock.now();
    expect(await plane.records.find(ACCOUNT.id, session.id)).toMatchObject({
      startedAt: now - 1_200,
      endedAt: now - 250,
    });
  });

  test('are never dated before the request', async () => {
    const worker = await plane.worker().join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    const { placement } = await worker.next('assign');
    plane.clock.advance(500);

    await worker.started(placement, 1e15);

    const { createdAt, startedAt } = (await plane.records.find(ACCOUNT.id, session.id)) ?? {};
    expect(startedAt).toBe(createdAt);
  });

  test('about an unknown session are acknowledged, and the worker must drop it', async () => {
    const worker = await plane.worker().join();
    const placement = { sessionId: 'nobody', epoch: 1 };

    await worker.started(placement);

    expect(await worker.next('drop')).toEqual({ type: 'drop', placement });
  });

  test('that cannot be recorded are not acknowledged', async () => {
    const worker = await plane.worker().join();
    const { session } = await plane.creation.open(ACCOUNT, request());
    const { placement } = await worker.next('assign');
    const updateState = plane.records.updateState.bind(plane.records);
    let failed = 0;
    plane.records.updateState = async () => {
      failed += 1;
      throw new Error('the database is away');
    };

    const report = { type: 'started' as const, id: 'report-1', placement, agoMs: 0 };
    worker.say(report);
    await until(() => failed === 1);
    plane.records.updateState = updateState;
    expect(worker.messages.some(({ type }) => type === 'ack')).toBe(false);
    worker.say(report);

    expect(await worker.next('ack')).toEqual({ type: 'ack', id: 'report-1' });
    expect(await plane.records.find(ACCOUNT.id, session.id)).toMatchObject({ status: 'ongoing' });
  });
});
