import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog, type Log } from '#shared/log.ts';
import type { Assign } from '#protocol/worker/gateway-messages.ts';
import { ControlLink } from '../../../workers/runtime/control-link.ts';
import type { Perform } from '../../../workers/runtime/performance.ts';
import { Slots } from '../../../workers/runtime/slots.ts';
import { HandGateway } from '../../support/fleet/hand-gateway.ts';
import { TestClock } from '../../support/test-clock.ts';
import { ScriptedPerformance } from '../../support/fleet/scripted-performance.ts';
import { until } from '../../support/until.ts';

let gateway: HandGateway;
let clock: TestClock;
let link: ControlLink;
let slots: Slots;
let log: Log;
let logLines: string[];
let stage: ScriptedPerformance[];

beforeEach(async () => {
  gateway = new HandGateway();
  clock = new TestClock();
  stage = [];
  logLines = [];
  log = createLog({ name: 'test' }, { write: (line) => void logLines.push(line) });
  const port = await gateway.listen();
  link = new ControlLink({
    url: `http://127.0.0.1:${port}`,
    token: 'worker-token',
    facts: {
      workerId: 'worker-a',
      kind: 'avatar',
      slots: 2,
      transports: ['mediaserver'],
      avatars: ['mira'],
      version: '1.0.0',
    },
    clock,
    log,
    random: () => 1,
  });
  const perform: Perform = (assign, tell) => {
    const performance = new ScriptedPerformance(assign, tell);
    stage.push(performance);
    return performance;
  };
  slots = new Slots({
    link,
    perform,
    clock,
    log,
    drain: { limitMs: 60_000 },
    reports: {
      frames: () => ({
        lateFrames: 0.25,
        frameRate: 18.75,
        avOffsetsMs: [3.5],
        quality: 'mouth_only',
      }),
    },
  });
});

afterEach(async () => {
  await slots.close();
  await link.close();
  await gateway.close();
  expect(clock.waiting, 'timers left').toBe(0);
});

/** `accepts`: messages that older gateways do not know. */
async function join(accepts: object = {}): Promise<void> {
  slots.open();
  await until(() => gateway.messagesOf('register').length === 1);
  gateway.say({ type: 'registered', pingEveryMs: 60_000, ...accepts });
  await until(() => link.isOpen);
}

const assign = (epoch: number): Assign => ({
  type: 'assign',
  placement: { sessionId: 'session-1', epoch },
  transport: 'mediaserver',
  room: { url: 'wss://rooms.example', token: 'a token' },
  avatarId: 'mira',
  video: { width: 512, height: 512, fps: 25 },
});

describe('assignments', () => {
  test('are performed once when they arrive twice', async () => {
    await join();

    gateway.say(assign(1));
    gateway.say(assign(1));
    await until(() => gateway.messagesOf('accepted').length === 2);

    expect(stage).toHaveLength(1);
  });

  test('send timeline events in order to a gateway that keeps timelines', async () => {
    await join({ keepsTimelines: true });
    gateway.say(assign(1));
    await until(() => stage.length === 1);

    stage[0]?.tell.record({ kind: 'joined' });
    stage[0]?.start();
    await until(() => gateway.messagesOf('started').length === 1);
    stage[0]?.tell.record({ kind: 'speech_received', segment: 1 });
    stage[0]?.finish('agent_left');
    await until(() => gateway.messagesOf('ended').length === 1);

    const { placement } = assign(1);
    const reports = gateway.messages.filter(({ type }) =>
      ['noted', 'started', 'ended'].includes(type),
    );
    expect(reports).toMatchObject([
      { type: 'noted', placement, happenings: [{ kind: 'joined', agoMs: 0 }] },
      { type: 'started', placement },
      { type: 'noted', placement, happenings: [{ kind: 'speech_received', segment: 1 }] },
      { type: 'ended', placement },
    ]);
  });

  test('send no timeline events to a gateway that keeps none', async () => {
    await join();
    gateway.say(assign(1));
    await until(() => stage.length === 1);

    stage[0]?.tell.record({ kind: 'joined' });
    clock.advance(1_000);
    stage[0]?.finish('agent_left');
    await until(() => gateway.messagesOf('ended').length === 1);

    expect(gateway.messagesOf('noted')).toEqual([]);
  });

  test('send a still when the gateway asks, without a picture before the first frame', async () => {
    await join();
    gateway.say(assign(1));
    await until(() => stage.length === 1);
    const { placement } = assign(1);
    const take = () => gateway.say({ type: 'take_still', placement });

    take();
    await until(() => gateway.messagesOf('still').length === 1);
    stage[0]!.picture = Buffer.from('a picture');
    take();
    await until(() => gateway.messagesOf('still').length === 2);
    // Longer than a message may be.
    stage[0]!.picture = new Uint8Array(50_000);
    take();
    await until(() => gateway.messagesOf('still').length === 3);

    const jpeg = Buffer.from('a picture').toString('base64');
    const noStill = { type: 'still', placement };
    expect(gateway.messagesOf('still')).toEqual([noStill, { ...noStill, jpeg }, noStill]);
  });

  test('of a new epoch replace the older one', async () => {
    await join();

    gateway.say(assign(1));
    gateway.say(assign(2));
    await until(() => stage.length === 2);

    expect(stage[0]?.calls).toEqual(['drop', 'close']);
    expect(slots.performing).toBe(1);
  });

  test('of an older epoch are refused', async () => {
    await join();

    gateway.say(assign(2));
    gateway.say(assign(1));
    await until(() => gateway.messagesOf('refused').length === 1);

    expect(stage).toHaveLength(1);
  });

  test('are refused beyond the number of slots', async () => {
    await join();

    for (const sessionId of ['1', '2', '3']) {
      gateway.say({ ...assign(1), placement: { sessionId, epoch: 1 } });
    }
    await until(() => gateway.messagesOf('refused').length === 1);

    expect(stage).toHaveLength(2);
  });

  test('are reported as ended when an unknown one is ended', async () => {
    await join();

    gateway.say({ type: 'end', placement: { sessionId: 'x', epoch: 1 }, reason: 'time_limit' });

    await until(() => gateway.messagesOf('ended').length === 1);
    expect(gateway.messagesOf('ended')[0]).toMatchObject({
      placement: { sessionId: 'x', epoch: 1 },
      reason: 'time_limit',
    });
  });

  test.each([
    ['an older gateway', {}, 'time_limit'],
    ['this gateway', { takesBudgetEnds: true }, 'budget_reached'],
  ])('end at their budget for a reason that %s knows', async (_, accepts, reason) => {
    await join(accepts);
    gateway.say(assign(1));
    await until(() => stage.length === 1);

    stage[0]?.finish('budget_reached');

    await until(() => gateway.messagesOf('ended').length === 1);
    expect(gateway.messagesOf('ended')[0]).toMatchObject({ reason });
  });

  test('are never reported on again once dropped', async () => {
    await join();
    gateway.say(assign(1));
    await until(() => stage.length === 1);

    gateway.say({ type: 'drop', placement: { sessionId: 'session-1', epoch: 1 } });
    await until(() => slots.performing === 0);
    stage[0]?.start();
    stage[0]?.finish('replaced');
    await stage[0]?.ended;
    gateway.say({ type: 'ping' });
    await until(() => gateway.messagesOf('pong').length === 1);

    expect(gateway.messagesOf('started')).toEqual([]);
    expect(gateway.messagesOf('ended')).toEqual([]);
  });

  test('are refused while draining', async () => {
    await join();
    slots.drain();

    gateway.say(assign(1));
    await until(() => gateway.messagesOf('refused').length === 1);

    expect(stage).toEqual([]);
  });

  test('are not performed again while their end is unacknowledged', async () => {
    await join();
    gateway.say(assign(1));
    await until(() => stage.length === 1);
    stage[0]?.finish('room_closed');
    await until(() => gateway.messagesOf('ended').length === 1);

    gateway.say(assign(1));
    await until(() => gateway.messagesOf('accepted').length === 2);

    expect(stage).toHaveLength(1);
  });

  test('appear in the load, on each change and every few seconds', async () => {
    await join();
    gateway.say(assign(1));
    await until(() => gateway.messagesOf('load').length === 2);

    clock.advance(5_000);
    await until(() => gateway.messagesOf('load').length === 3);

    expect(gateway.messagesOf('load').at(-1)).toEqual({
      type: 'load',
      performing: 1,
      lateFrames: 0.25,
      frameRate: 18.75,
      avOffsetsMs: [3.5],
      quality: 'mouth_only',
      draining: false,
      sessions: [assign(1).placement],
    });
  });

  test('have their load reported at once on request', async () => {
    await join();
    await until(() => gateway.messagesOf('load').length === 1);

    slots.reportLoad();

    await until(() => gateway.messagesOf('load').length === 2);
  });

  test('are named by the next register until their end is acknowledged', async () => {
    await join();
    gateway.say(assign(1));
    await until(() => stage.length === 1);
    stage[0]?.finish('room_closed');
    await until(() => gateway.messagesOf('ended').length === 1);

    gateway.sockets[0]?.terminate();
    await until(() => !link.isOpen);
    clock.advance(100);
    await until(() => gateway.messagesOf('register').length === 2);

    expect(gateway.messagesOf('register')[1]).toMatchObject({
      performing: [{ sessionId: 'session-1', epoch: 1 }],
    });
  });
});

describe('the log level', () => {
  test('is the ordered one from then on', async () => {
    await join();
    log.debug('before the order');

    gateway.say({ type: 'set_log_level', level: 'debug' });
    await until(() => log.level === 'debug');
    log.debug('after the order');

    const texts = logLines.map((line) => JSON.parse(line).msg);
    expect(texts).not.toContain('before the order');
    expect(texts.slice(-2)).toEqual(['log level set', 'after the order']);
  });
});

describe('a session that is handed over', () => {
  const release = { type: 'release', placement: assign(1).placement, withinMs: 8_000 } as const;

  async function performing(): Promise<ScriptedPerformance> {
    await join();
    gateway.say(assign(1));
    await until(() => stage.length === 1);
    return stage[0]!;
  }

  test('is released when silent, after its last events', async () => {
    const performance = await performing();
    gateway.say(release);
    await until(() => performance.calls.length === 1);
    const releaseCount = gateway.messagesOf('released').length;

    performance.tell.speechProgressed([4.5]);
    performance.fallSilent();
    await until(() => gateway.messagesOf('released').length === 1);

    expect(releaseCount).toBe(0);
    expect(performance.calls).toEqual(['release 8000']);
    expect(gateway.messages.slice(-2)).toEqual([
      { type: 'speech', placement: release.placement, open: [4.5] },
      { type: 'released', placement: release.placement },
    ]);
  });

  test('ends without a report when its successor takes its place', async () => {
    const performance = await performing();
    gateway.say(release);
    performance.fallSilent();
    await until(() => gateway.messagesOf('released').length === 1);

    performance.finish('replaced');
    await until(() => slots.performing === 0);
    gateway.say({ type: 'ping' });
    await until(() => gateway.messagesOf('pong').length === 1);

    expect(gateway.messagesOf('ended')).toEqual([]);
    expect(performance.calls).toEqual(['release 8000', 'close']);
  });

  test('ends normally when its agent leaves before its successor joins', async () => {
    const performance = await performing();
    gateway.say(release);
    performance.fallSilent();
    await until(() => gateway.messagesOf('released').length === 1);

    performance.finish('agent_left');

    await until(() => gateway.messagesOf('ended').length === 1);
  });

  test('never joins when it was not in the room yet', async () => {
    const performance = await performing();
    gateway.say(release);

    performance.fallSilent(false);

    await until(() => gateway.messagesOf('released').length === 1);
    await until(() => slots.performing === 0);
    expect(performance.calls).toEqual(['release 8000', 'drop', 'close']);
  });

  test('is reported as released again on a new connection', async () => {
    const performance = await performing();
    gateway.say(release);
    performance.fallSilent();
    await until(() => gateway.messagesOf('released').length === 1);

    gateway.sockets[0]?.terminate();
    await until(() => !link.isOpen);
    clock.advance(100);
    await until(() => gateway.messagesOf('register').length === 2);
    gateway.say({ type: 'registered', pingEveryMs: 60_000 });

    await until(() => gateway.messagesOf('released').length === 2);
  });
});
