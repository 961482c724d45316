import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Assign } from '#protocol/gateway-messages.ts';
import { ControlLink } from '../../workers/link/control-link.ts';
import { Slots } from '../../workers/link/slots.ts';
import { quietLog } from '../support/control-plane.ts';
import { HandGateway } from '../support/hand-gateway.ts';
import { TestClock } from '../support/test-clock.ts';
import { ToldPerformance } from '../support/told-performance.ts';
import { until } from '../support/until.ts';

let gateway: HandGateway;
let clock: TestClock;
let link: ControlLink;
let slots: Slots;
let stage: ToldPerformance[];

beforeEach(async () => {
  gateway = new HandGateway();
  clock = new TestClock();
  stage = [];
  const port = await gateway.listen();
  link = new ControlLink({
    url: `http://127.0.0.1:${port}`,
    token: 'worker-token',
    facts: {
      workerId: 'worker-a',
      kind: 'avatar',
      slots: 2,
      transports: ['mediaserver'],
      avatars: ['nora'],
      version: '1.0.0',
    },
    clock,
    log: quietLog,
    random: () => 1,
  });
  const perform = (assign: Assign) => {
    const performance = new ToldPerformance(assign);
    stage.push(performance);
    return performance;
  };
  slots = new Slots({ link, perform, clock, log: quietLog, lateFrames: () => 0.25 });
});

afterEach(async () => {
  await slots.close();
  await link.close();
  await gateway.close();
  expect(clock.waiting, 'timers left').toBe(0);
});

async function join(): Promise<void> {
  slots.open();
  await until(() => gateway.heardOf('register').length === 1);
  gateway.say({ type: 'registered', pingEveryMs: 60_000 });
  await until(() => link.isOpen);
}

const assign = (epoch: number): Assign => ({
  type: 'assign',
  placement: { sessionId: 'session-1', epoch },
  transport: 'mediaserver',
  room: { url: 'wss://rooms.example', token: 'a token' },
  avatarId: 'nora',
  video: { width: 512, height: 512, fps: 25 },
});

describe('assignments', () => {
  test('that come twice are performed once', async () => {
    await join();

    gateway.say(assign(1));
    gateway.say(assign(1));
    await until(() => gateway.heardOf('accepted').length === 2);

    expect(stage).toHaveLength(1);
  });

  test('under a new epoch replace the older one', async () => {
    await join();

    gateway.say(assign(1));
    gateway.say(assign(2));
    await until(() => stage.length === 2);

    expect(stage[0]?.seen).toEqual(['drop', 'close']);
    expect(slots.performing).toBe(1);
  });

  test('under an older epoch are refused', async () => {
    await join();

    gateway.say(assign(2));
    gateway.say(assign(1));
    await until(() => gateway.heardOf('refused').length === 1);

    expect(stage).toHaveLength(1);
  });

  test('beyond the slots are refused', async () => {
    await join();

    for (const sessionId of ['1', '2', '3']) {
      gateway.say({ ...assign(1), placement: { sessionId, epoch: 1 } });
    }
    await until(() => gateway.heardOf('refused').length === 1);

    expect(stage).toHaveLength(2);
  });

  test('an end of what is not known here is answered all the same', async () => {
    await join();

    gateway.say({ type: 'end', placement: { sessionId: 'x', epoch: 1 }, reason: 'time_limit' });

    await until(() => gateway.heardOf('ended').length === 1);
    expect(gateway.heardOf('ended')[0]).toMatchObject({
      placement: { sessionId: 'x', epoch: 1 },
      reason: 'time_limit',
    });
  });

  test('that are dropped are never spoken of again', async () => {
    await join();
    gateway.say(assign(1));
    await until(() => stage.length === 1);

    gateway.say({ type: 'drop', placement: { sessionId: 'session-1', epoch: 1 } });
    await until(() => slots.performing === 0);
    stage[0]?.start();
    stage[0]?.finish('replaced');
    await stage[0]?.ended;
    gateway.say({ type: 'ping' });
    await until(() => gateway.heardOf('pong').length === 1);

    expect(gateway.heardOf('started')).toEqual([]);
    expect(gateway.heardOf('ended')).toEqual([]);
  });

  test('while draining are refused', async () => {
    await join();
    slots.drain();

    gateway.say(assign(1));
    await until(() => gateway.heardOf('refused').length === 1);

    expect(stage).toEqual([]);
  });

  test('after the end, while that is not acknowledged, are not performed again', async () => {
    await join();
    gateway.say(assign(1));
    await until(() => stage.length === 1);
    stage[0]?.finish('room_closed');
    await until(() => gateway.heardOf('ended').length === 1);

    gateway.say(assign(1));
    await until(() => gateway.heardOf('accepted').length === 2);

    expect(stage).toHaveLength(1);
  });

  test('are told in the load, at each change and every few seconds', async () => {
    await join();
    gateway.say(assign(1));
    await until(() => gateway.heardOf('load').length === 2);

    clock.advance(5_000);
    await until(() => gateway.heardOf('load').length === 3);

    expect(gateway.heardOf('load').at(-1)).toEqual({
      type: 'load',
      performing: 1,
      lateFrames: 0.25,
      draining: false,
    });
  });

  test('that ended are named at the next register, until the end is acknowledged', async () => {
    await join();
    gateway.say(assign(1));
    await until(() => stage.length === 1);
    stage[0]?.finish('room_closed');
    await until(() => gateway.heardOf('ended').length === 1);

    gateway.sockets[0]?.terminate();
    await until(() => !link.isOpen);
    clock.advance(100);
    await until(() => gateway.heardOf('register').length === 2);

    expect(gateway.heardOf('register')[1]).toMatchObject({
      performing: [{ sessionId: 'session-1', epoch: 1 }],
    });
  });
});
