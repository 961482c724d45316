import { ACCOUNT, request, type ControlPlane } from './control-plane.ts';
import type { SimulatedWorker } from '../simulated-worker.ts';
import { until } from '../until.ts';

/** A session whose avatar is in the room, performed by `worker`. */
export async function ongoing(plane: ControlPlane, worker: SimulatedWorker, token = 'a token') {
  const room = { url: 'wss://rooms.example', token };
  const { session } = await plane.creation.open(ACCOUNT, request({ room }));
  const { placement } = await worker.next('assign');
  await worker.started(placement);
  return { id: session.id, placement };
}

/** Resolves when the control plane has noticed a closed connection and `workers` remain. */
export const noticed = (plane: ControlPlane, workers = 0): Promise<void> =>
  until(async () => (await plane.fleet.counts()).workers === workers);

/** Waits until the worker is declared lost. */
export async function lose(plane: ControlPlane, worker: SimulatedWorker, left = 0): Promise<void> {
  worker.crash();
  await noticed(plane, left);
  plane.clock.advance(1_000);
}
