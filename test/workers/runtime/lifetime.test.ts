import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest';
import { serve } from '../../../workers/runtime/lifetime.ts';
import type { ControlLink } from '../../../workers/runtime/control-link.ts';
import type { Slots } from '../../../workers/runtime/slots.ts';
import { createLog } from '../../../src/shared/log.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';
import { programEnv } from '../../support/processes/program-env.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

/** A worker that has lost its parent when it gets ready. */
const ORPHAN = `
  import { systemClock } from './src/shared/clock.ts';
  import { serve } from './workers/runtime/lifetime.ts';
  const never = new Promise(() => {});
  const done = async () => {};
  process.disconnect();
  serve({
    slots: { open() {}, drained: never, endAll: done, close: done },
    link: { registered: done(), dismissed: never, close: done },
    clock: systemClock,
    log: { fatal: console.error },
    close: done,
  });
`;

/** A worker whose garbage collection finds a handle that the media engine has dropped. */
const WITH_DROPPED_HANDLE = `
  import { FfiHandle } from '@livekit/rtc-ffi-bindings';
  import { systemClock } from './src/shared/clock.ts';
  import { serve } from './workers/runtime/lifetime.ts';
  const never = new Promise(() => {});
  const done = async () => {};
  serve({
    slots: { open() {}, drained: never, endAll: done, close: done },
    link: { registered: never, dismissed: never, close: done },
    clock: systemClock,
    log: { fatal: console.error, warn: ({ err }) => process.send(err.message) },
    close: done,
  });
  void (() => new FfiHandle(1n << 40n))();
  gc();
`;

const never = () => new Promise<never>(() => {});

let clock: TestClock;
let exit: MockInstance<typeof process.exit>;
let handlers: Map<string | symbol, (error?: unknown) => void>;
beforeEach(() => {
  clock = new TestClock();
  handlers = new Map();
  exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  vi.spyOn(process, 'on').mockImplementation(
    (event: string | symbol, handler: (error?: unknown) => void) => {
      handlers.set(event, handler);
      return process;
    },
  );
});
afterEach(() => vi.restoreAllMocks());

describe('a worker process', () => {
  test.each(['SIGINT', 'disconnect'])(
    'exits within ten seconds of %s, also when a room cannot be left',
    async (event) => {
      const slots = { open: () => {}, drained: never(), endAll: never } as unknown as Slots;
      const link = { registered: never(), dismissed: never() } as unknown as ControlLink;
      serve({ slots, link, clock, log: quietLog, close: async () => {} });

      handlers.get(event)!();
      await clock.pass(9_999);
      expect(exit).not.toHaveBeenCalled();
      await clock.pass(1);

      expect(exit).toHaveBeenCalledExactlyOnceWith(1);
    },
  );

  test.each(['uncaughtException', 'unhandledRejection'])(
    'logs an %s, drops its sessions for another worker to take, and exits 1',
    async (event) => {
      const done: string[] = [];
      const step = (name: string) => async () => void done.push(name);
      const slots = {
        open: () => {},
        drained: never(),
        close: step('slots'),
      } as unknown as Slots;
      const link = {
        registered: never(),
        dismissed: never(),
        close: step('link'),
      } as unknown as ControlLink;
      let logged = '';
      const log = createLog({ name: 'test' }, { write: (line) => (logged += line) });
      serve({ slots, link, clock, log, close: step('rest') });

      handlers.get(event)!(new Error('nobody caught this'));
      await until(() => exit.mock.calls.length > 0);

      expect(done).toEqual(['slots', 'link', 'rest']);
      expect(exit).toHaveBeenCalledExactlyOnceWith(1);
      expect(logged).toContain('nobody caught this');
      expect(JSON.parse(logged)).toMatchObject({ level: 60 });
    },
  );

  test('serves on when a handle was dropped before it is collected', async () => {
    vi.restoreAllMocks();
    const execArgv = ['--expose-gc', '--input-type=module', '--eval', WITH_DROPPED_HANDLE];
    const worker = fork('-', [], { execArgv, env: programEnv });
    const exit = once(worker, 'exit');

    const [warning] = await Promise.race([once(worker, 'message'), exit]);
    expect(warning).toBe('trying to drop an invalid handle');
    // It still reacts to the loss of its parent.
    worker.disconnect();
    expect(await exit).toEqual([0, null]);
  });

  test('exits 0 when its parent is gone before it is ready', async () => {
    vi.restoreAllMocks();
    const execArgv = ['--input-type=module', '--eval', ORPHAN];
    const orphan = fork('-', [], { execArgv, env: programEnv });

    expect(await once(orphan, 'exit')).toEqual([0, null]);
  });
});
