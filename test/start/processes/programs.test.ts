import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock, type Clock } from '../../../src/shared/clock.ts';
import { Guard } from '../../../src/start/processes/guard.ts';
import { Programs } from '../../../src/start/processes/programs.ts';
import { STEADY_MS, type ProgramSpec } from '../../../src/start/processes/program.ts';
import { TypedEvents } from '../../../src/shared/typed-events.ts';
import { childAs } from '../../support/processes/child-processes.ts';
import { gone, isRunning, lineFrom } from './children.ts';

type Happenings = {
  up: { name: string; pid: number };
  message: { name: string };
  down: { name: string; failures: number };
};

const open: (Programs | Guard)[] = [];
afterEach(async () => {
  for (const programs of open.splice(0)) await programs.close();
});

function createPrograms(clock: Clock = systemClock) {
  const events = new TypedEvents<Happenings>((error) => {
    throw error;
  });
  const order: string[] = [];
  const guard = new Guard(systemClock);
  const programs = new Programs(guard, clock, {
    up: ({ name }, pid) => {
      order.push(`${name} up`);
      events.emit('up', { name, pid });
    },
    down: ({ name }, _pid, failures) => {
      order.push(`${name} down`);
      events.emit('down', { name, failures });
    },
    message: ({ name }) => events.emit('message', { name }),
    output: () => {},
  });
  open.push(programs, guard);
  const nextEvent = <Name extends keyof Happenings>(name: Name): Promise<Happenings[Name]> =>
    new Promise((resolve) => {
      const stop = events.on(name, (event) => {
        stop();
        resolve(event);
      });
    });
  return { programs, next: nextEvent, order };
}

const program = (name: string, script: string, graceMs = 2_000): ProgramSpec => ({
  name,
  launch: () => ({ command: process.execPath, args: ['-e', script], env: {}, ipc: true }),
  stopSignal: 'SIGTERM',
  graceMs,
});
const STAYS = 'setInterval(() => {}, 1e6); process.send("up")';

describe('programs', () => {
  test('are watched by a guard with an empty environment', async () => {
    createPrograms();

    const guard = await childAs(process.getuid?.(), 'guard-main.ts');

    expect(guard.environment).toEqual(['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE']);
  });

  test('are restarted when killed', async () => {
    const { programs, next: nextEvent } = createPrograms();
    const firstUp = nextEvent('up');
    programs.start(program('a', STAYS));
    const { pid } = await firstUp;
    const secondUp = nextEvent('up');

    process.kill(pid, 'SIGKILL');

    const second = await secondUp;
    expect(second.pid).not.toBe(pid);
    expect(isRunning(second.pid)).toBe(true);
  });

  test('count consecutive failures', async () => {
    const { programs, next: nextEvent } = createPrograms();
    const firstDown = nextEvent('down');
    programs.start(program('a', 'process.exit(3)'));

    expect((await firstDown).failures).toBe(1);
    expect((await nextEvent('down')).failures).toBe(2);
    expect((await nextEvent('down')).failures).toBe(3);
  });

  test('are restarted after a planned exit, which is no failure', async () => {
    let elapsed = 0;
    const { programs, next: nextEvent } = createPrograms({
      ...systemClock,
      elapsed: () => elapsed,
    });
    const up = nextEvent('up');
    const ready = nextEvent('message');
    programs.start(program('a', `process.once("SIGUSR2", () => process.exit(0)); ${STAYS}`));
    await ready;
    elapsed = STEADY_MS;
    const [down, secondUp] = [nextEvent('down'), nextEvent('up')];

    process.kill((await up).pid, 'SIGUSR2');

    expect((await down).failures).toBe(0);
    await secondUp;
  });

  test('stop in reverse order and are not restarted', async () => {
    const { programs, order } = createPrograms();
    programs.start(program('media-server', STAYS));
    programs.start(program('worker', STAYS));

    await programs.close();

    expect(order).toEqual(['media-server up', 'worker up', 'worker down', 'media-server down']);
  });

  test('are killed after the grace period when they ignore the signal', async () => {
    const { programs, next: nextEvent } = createPrograms();
    const firstUp = nextEvent('up');
    programs.start(program('a', `process.on('SIGTERM', () => {}); ${STAYS}`, 200));
    const { pid } = await firstUp;
    await nextEvent('message');

    await programs.close();

    expect(isRunning(pid)).toBe(false);
  });

  test('count a missing executable as a failure', async () => {
    const { programs, next: nextEvent } = createPrograms();
    const down = nextEvent('down');
    programs.start({
      ...program('a', ''),
      launch: () => ({ command: '/nowhere/a', args: [], env: {}, ipc: false }),
    });

    expect((await down).failures).toBe(1);
  });
});

describe('programs whose supervisor is killed', () => {
  const supervisor = fileURLToPath(new URL('fake-supervisor.ts', import.meta.url));

  test('end with it, including those without a channel', async () => {
    const child = spawn(process.execPath, [supervisor], { stdio: ['ignore', 'pipe', 'inherit'] });
    const pids = JSON.parse(await lineFrom(child)) as number[];
    const exit = once(child, 'exit');

    child.kill('SIGKILL');

    await exit;
    expect(pids).toHaveLength(3);
    for (const pid of pids) await gone(pid);
  });

  test('end with it when the guard was replaced before', async () => {
    const child = spawn(process.execPath, [supervisor, 'kill-guard'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pids = JSON.parse(await lineFrom(child)) as number[];
    const exit = once(child, 'exit');

    child.kill('SIGKILL');

    await exit;
    for (const pid of pids) await gone(pid);
  });
});
