import type { Clock } from '#shared/clock.ts';
import { ControlLink } from '../../../workers/runtime/control-link.ts';
import { Slots } from '../../../workers/runtime/slots.ts';
import { quietLog, WORKER_TOKEN } from './control-plane.ts';
import { ScriptedPerformance } from './scripted-performance.ts';

type ScriptedSlotsOptions = {
  /** The control plane's address. */
  url: string;
  clock: Clock;
  workerId: string;
  avatars: string[];
  resendMs?: number;
  renewAfter?: number;
};

export type ScriptedSlots = ReturnType<typeof scriptedSlots>;

/** A worker's real connection with two slots. The test directs what they perform. */
export function scriptedSlots({
  url,
  clock,
  workerId,
  avatars,
  resendMs,
  renewAfter,
}: ScriptedSlotsOptions) {
  const stage: ScriptedPerformance[] = [];
  const link = new ControlLink({
    url,
    token: WORKER_TOKEN,
    facts: {
      workerId,
      kind: 'avatar',
      slots: 2,
      transports: ['mediaserver'],
      avatars,
      version: '1',
    },
    clock,
    log: quietLog,
    random: () => 1,
  });
  const worker = {
    link,
    stage,
    /** When set, the next assignment is refused. */
    cannotPerform: null as Error | null,
    slots: new Slots({
      link,
      perform: (assign, tell) => {
        if (worker.cannotPerform) throw worker.cannotPerform;
        const performance = new ScriptedPerformance(assign, tell);
        stage.push(performance);
        return performance;
      },
      clock,
      log: quietLog,
      drain: { limitMs: 60_000, afterSessions: renewAfter },
      reports: { resendMs },
    }),
    performanceOf: (sessionId: string) =>
      stage.find(({ assign }) => assign.placement.sessionId === sessionId),
    async close(): Promise<void> {
      for (const performance of stage) performance.closeAtLast();
      await worker.slots.close();
      await link.close();
    },
  };
  return worker;
}
