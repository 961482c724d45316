import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CLOSE } from '#protocol/worker/close-codes.ts';
import { PROTOCOLS } from '#protocol/worker/protocol-version.ts';
import type { Placement } from '#protocol/placement.ts';
import { ControlLink, type WorkMessage } from '../../../workers/runtime/control-link.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';
import { HandGateway } from '../../support/fleet/hand-gateway.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

const facts = {
  workerId: 'worker-a',
  kind: 'avatar' as const,
  slots: 2,
  transports: ['mediaserver' as const],
  avatars: ['mira'],
  version: '1.0.0',
};

let gateway: HandGateway;
let clock: TestClock;
let link: ControlLink;
let performing: Placement[];
let opened: number;
let received: WorkMessage[];

beforeEach(async () => {
  gateway = new HandGateway();
  clock = new TestClock();
  const port = await gateway.listen();
  performing = [];
  opened = 0;
  received = [];
  link = new ControlLink({
    url: `http://127.0.0.1:${port}`,
    token: 'worker-token',
    facts,
    clock,
    log: quietLog,
    random: () => 1,
  });
});

afterEach(async () => {
  await link.close();
  if (gateway.http.listening) await gateway.close();
  expect(clock.waiting, 'timers left').toBe(0);
});

function open(): void {
  link.open({
    performing: () => performing,
    building: () => [],
    opened: () => (opened += 1),
    received: (order) => received.push(order),
  });
}

/** Waits until the link has registered for the `times`th time and the gateway has answered. */
async function registered(times = 1): Promise<void> {
  await until(() => registers().length === times);
  gateway.say({ type: 'registered', pingEveryMs: 1_000 });
  await until(() => link.isOpen);
}

const registers = () => gateway.messagesOf('register');

/** The waits after this many refused attempts. */
async function waitsOf(attempts: number): Promise<number[]> {
  gateway.refuseWith = '503 Service Unavailable';
  const waits: number[] = [];
  const attemptsBefore = gateway.authorizations.length;
  for (let tries = 1; tries <= attempts; tries += 1) {
    await until(
      () => gateway.authorizations.length === attemptsBefore + tries && clock.waiting === 1,
    );
    // Not the limit of the attempt.
    await until(() => (clock.nextInMs ?? 0) < 5_000);
    waits.push(clock.nextInMs ?? 0);
    clock.advance(clock.nextInMs ?? 0);
  }
  gateway.refuseWith = null;
  return waits;
}

describe('control link', () => {
  test('sends its token and registers with its facts', async () => {
    performing = [{ sessionId: 'session-1', epoch: 2 }];

    open();
    await registered();

    expect(gateway.authorizations).toEqual(['Bearer worker-token']);
    expect(registers()).toEqual([
      {
        type: 'register',
        protocol: PROTOCOLS.oldest,
        newestProtocol: PROTOCOLS.newest,
        ...facts,
        performing,
        building: [],
      },
    ]);
    expect(opened).toBe(1);
  });

  test('sends nothing before it is registered', async () => {
    open();
    await until(() => registers().length === 1);

    expect(link.send({ type: 'pong' })).toBe(false);

    await registered();
    expect(link.send({ type: 'pong' })).toBe(true);
    await until(() => gateway.messages.length === 2);
  });

  test('answers pings and passes on orders', async () => {
    open();
    await registered();

    gateway.say({ type: 'ping' });
    gateway.say({ type: 'drain' });

    await until(() => received.length === 1);
    expect(received).toEqual([{ type: 'drain' }]);
    await until(() => gateway.messages.length === 2);
    expect(gateway.messages.at(-1)).toEqual({ type: 'pong' });
  });

  test('reconnects when the connection breaks, and registers its current sessions', async () => {
    open();
    await registered();
    performing = [{ sessionId: 'session-1', epoch: 1 }];

    gateway.sockets[0]?.terminate();
    await until(() => !link.isOpen);
    clock.advance(100);
    await registered(2);

    expect(registers()[1]).toMatchObject({ performing });
    expect(opened).toBe(2);
  });

  test('reconnects when the gateway stops cleanly', async () => {
    open();
    await registered();

    gateway.sockets[0]?.close(CLOSE.service_stopping.code);
    await until(() => !link.isOpen);
    clock.advance(100);

    await registered(2);
  });

  test('waits longer after each attempt, up to a limit, and resets after a success', async () => {
    open();
    await registered();
    gateway.sockets[0]?.terminate();
    await until(() => clock.nextInMs === 100);
    gateway.refuseWith = '503 Service Unavailable';
    clock.advance(100);
    expect(await waitsOf(6)).toEqual([200, 400, 800, 1_600, 2_000, 2_000]);

    await registered(2);
    gateway.sockets[1]?.terminate();
    await until(() => !link.isOpen);

    expect(clock.nextInMs).toBe(100);
  });

  test('tries often at first, when the control plane may be starting beside it', async () => {
    open();

    const waits = await waitsOf(42);

    expect(waits.slice(0, 4)).toEqual([100, 200, 300, 300]);
    expect(waits.slice(-3)).toEqual([300, 2_000, 2_000]);
  });

  test('waits for a control plane that is not up yet', async () => {
    const { port } = gateway.http.address() as AddressInfo;
    await gateway.close();
    open();
    await until(() => clock.nextInMs === 100);

    gateway = new HandGateway();
    await gateway.listen(port);
    clock.advance(100);

    await registered();
  });

  test('abandons a connection without a message for three pings', async () => {
    open();
    await registered();
    clock.advance(2_999);
    gateway.say({ type: 'ping' });
    await until(() => gateway.messages.length === 2);

    clock.advance(2_999);
    expect(link.isOpen).toBe(true);
    clock.advance(1);

    expect(link.isOpen).toBe(false);
    clock.advance(100);
    await registered(2);
  });

  test('abandons a connection that takes too long to open', async () => {
    gateway.isStuck = true;
    open();
    await until(() => gateway.authorizations.length === 1);

    gateway.isStuck = false;
    clock.advance(5_000);
    clock.advance(100);

    await registered();
  });

  test('abandons a gateway that does not answer its register', async () => {
    open();
    await until(() => registers().length === 1);

    clock.advance(5_000);
    clock.advance(100);

    await registered(2);
  });

  test.each(['{"type":"sing"}', '{"type":"ack"}', '[]', 'no JSON'])(
    'ignores the invalid message %s',
    async (text) => {
      open();
      await registered();

      gateway.sockets[0]?.send(text);
      gateway.say({ type: 'ack', id: 'report-1' });
      await until(() => received.length > 0);

      expect(received).toEqual([{ type: 'ack', id: 'report-1' }]);
      expect(link.isOpen).toBe(true);
    },
  );

  test('abandons a gateway that sends only invalid messages for three pings', async () => {
    open();
    await registered();

    clock.advance(2_999);
    gateway.sockets[0]?.send('no JSON');
    gateway.sockets[0]?.ping();
    await new Promise((resolve) => gateway.sockets[0]?.once('pong', resolve));
    clock.advance(1);

    expect(link.isOpen).toBe(false);
  });

  test('retries slowly with a revoked token, until it is accepted again', async () => {
    open();
    await registered();
    gateway.refuseWith = '401 Unauthorized';
    gateway.sockets[0]?.close(CLOSE.token_revoked.code);
    await until(() => clock.dueIn(30_000) === 1);

    for (let attempt = 2; attempt <= 3; attempt++) {
      clock.advance(29_999);
      expect(gateway.authorizations).toHaveLength(attempt - 1);
      clock.advance(1);
      await until(() => gateway.authorizations.length === attempt && clock.dueIn(30_000) === 1);
    }
    gateway.refuseWith = null;
    clock.advance(30_000);

    await registered(2);
  });

  test.each(['wrong_token', 'wrong_protocol', 'replaced'] as const)(
    'does not reconnect after %s',
    async (name) => {
      open();
      await registered();

      gateway.sockets[0]?.close(CLOSE[name].code);

      expect(await link.dismissed).toBe(CLOSE[name].code);
      expect(clock.waiting).toBe(0);
    },
  );

  test('does not reconnect when the handshake refuses its token', async () => {
    gateway.refuseWith = '401 Unauthorized';
    open();

    expect(await link.dismissed).toBe(CLOSE.wrong_token.code);
    expect(clock.waiting).toBe(0);
  });

  test('closes its socket cleanly', async () => {
    open();
    await registered();
    const closed = once(gateway.sockets[0]!, 'close');

    await link.close();

    expect((await closed)[0]).toBe(1000);
    expect(link.isOpen).toBe(false);
  });

  test('closes while connecting, while waiting, and twice', async () => {
    gateway.isStuck = true;
    open();
    await until(() => gateway.authorizations.length === 1);

    await link.close();
    await link.close();

    expect(clock.waiting).toBe(0);
  });

  test('terminates the socket when the gateway does not answer its close', async () => {
    open();
    await registered();
    gateway.sockets[0]?.pause();

    const closing = link.close();
    clock.advance(1_000);

    await closing;
  });
});

const toldAbilities = () => gateway.messagesOf('abilities').map((message) => message.abilities);
const gatewayTakesThem = async (times = 1) => {
  await until(() => registers().length === times);
  gateway.say({ type: 'registered', pingEveryMs: 1_000, takesAbilities: true });
  await until(() => link.isOpen);
};

describe('changed abilities', () => {
  test('are told at once', async () => {
    open();
    await gatewayTakesThem();

    link.changeAbilities(['hears:en']);

    await until(() => toldAbilities().length === 1);
    expect(toldAbilities()).toEqual([['hears:en']]);
    expect(registers()).toHaveLength(1);
  });

  test('are part of the first registration, or told after it', async () => {
    link.changeAbilities(['hears']);
    open();
    await until(() => registers().length === 1);
    link.changeAbilities(['hears:en']);
    await gatewayTakesThem();

    await until(() => toldAbilities().length === 1);
    expect(registers()[0]).toMatchObject({ abilities: ['hears'] });
    expect(toldAbilities()).toEqual([['hears:en']]);
  });

  test('wait for the next registration at an older gateway', async () => {
    open();
    await registered();
    link.changeAbilities(['hears:en']);
    gateway.sockets[0]?.close();
    await until(() => !link.isOpen);
    clock.advance(2_000);
    await registered(2);

    expect(toldAbilities()).toEqual([]);
    expect(registers()[1]).toMatchObject({ abilities: ['hears:en'] });
  });
});
