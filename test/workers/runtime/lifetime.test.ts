import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from 'vitest';
import { serve } from '../../../workers/runtime/lifetime.ts';
import type { ControlLink } from '../../../workers/runtime/control-link.ts';
import type { Slots } from '../../../workers/runtime/slots.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';
import { TestClock } from '../../support/test-clock.ts';

const never = () => new Promise<never>(() => {});

let clock: TestClock;
let exit: MockInstance<typeof process.exit>;
let handlers: Map<string | symbol, () => void>;
beforeEach(() => {
  clock = new TestClock();
  handlers = new Map();
  exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  vi.spyOn(process, 'on').mockImplementation((event: string | symbol, handler: () => void) => {
    handlers.set(event, handler);
    return process;
  });
});
afterEach(() => vi.restoreAllMocks());

describe('a worker process', () => {
  test.each(['SIGINT', 'disconnect'])(
    'exits within ten seconds of %s, also when a room cannot be left',
    async (event) => {
      const slots = { open: () => {}, drained: never(), endAll: never } as unknown as Slots;
      const link = { dismissed: never() } as unknown as ControlLink;
      serve({ slots, link, clock, log: quietLog, close: async () => {} });

      handlers.get(event)!();
      await clock.pass(9_999);
      expect(exit).not.toHaveBeenCalled();
      await clock.pass(1);

      expect(exit).toHaveBeenCalledExactlyOnceWith(1);
    },
  );
});
