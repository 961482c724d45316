import { ControlLink } from '../../workers/link/control-link.ts';
import { Slots } from '../../workers/link/slots.ts';
import { ACCOUNT, quietLog, request, WORKER_TOKEN, type ControlPlane } from './control-plane.ts';
import { ToldPerformance } from './told-performance.ts';
import { until } from './until.ts';

export type ToldWorker = ReturnType<typeof toldWorker>;

/** A worker's own link and slots for the real gateway, two of them; what it performs the test directs. */
export function toldWorker(plane: ControlPlane) {
  const stage: ToldPerformance[] = [];
  const link = new ControlLink({
    url: plane.url,
    token: WORKER_TOKEN,
    facts: {
      workerId: 'worker-a',
      kind: 'avatar',
      slots: 2,
      transports: ['mediaserver'],
      avatars: ['nora'],
      version: '1',
    },
    clock: plane.clock,
    log: quietLog,
    random: () => 1,
  });
  const worker = {
    link,
    stage,
    /** Set it to have the next assignment refused. */
    cannotPerform: null as Error | null,
    slots: new Slots({
      link,
      perform: (assign, tell) => {
        if (worker.cannotPerform) throw worker.cannotPerform;
        const performance = new ToldPerformance(assign, tell);
        stage.push(performance);
        return performance;
      },
      clock: plane.clock,
      log: quietLog,
      drainMs: 60_000,
    }),
    async join(): Promise<void> {
      worker.slots.open();
      await until(async () => (await plane.fleet.counts()).workers === 1);
    },
    /** A session that it performs. */
    async openSession(token = 'a token') {
      const room = { url: 'wss://rooms.example', token };
      const { session } = await plane.sessions.open(ACCOUNT, request({ room }));
      const own = () => stage.find(({ assign }) => assign.placement.sessionId === session.id);
      await until(() => own() !== undefined);
      return { id: session.id, performance: own()! };
    },
    async close(): Promise<void> {
      for (const performance of stage) performance.closeAtLast();
      await worker.slots.close();
      await link.close();
    },
  };
  return worker;
}
