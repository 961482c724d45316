import { ACCOUNT, request, type ControlPlane } from './control-plane.ts';
import { scriptedSlots } from './scripted-slots.ts';
import { until } from '../until.ts';

export type ScriptedWorker = ReturnType<typeof scriptedWorker>;

/** A worker with two slots at a control plane in this process, directed by the test. */
export function scriptedWorker(plane: ControlPlane, options: { renewAfter?: number } = {}) {
  const { url, clock } = plane;
  const worker = scriptedSlots({ url, clock, workerId: 'worker-a', avatars: ['mira'], ...options });
  return Object.assign(worker, {
    async join(): Promise<void> {
      worker.slots.open();
      await until(async () => (await plane.fleet.counts()).workers === 1);
    },
    /** A session on this worker. */
    async openSession(token = 'a token') {
      const room = { url: 'wss://rooms.example', token };
      const { session } = await plane.creation.open(ACCOUNT, request({ room }));
      await until(() => worker.performanceOf(session.id) !== undefined);
      return { id: session.id, performance: worker.performanceOf(session.id)! };
    },
  });
}
