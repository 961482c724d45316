import { usualTimes } from '../../../src/gateway/times.ts';
import type { BuiltApp } from './build-app.ts';
import { until } from '../until.ts';

/** Advances time only once the loss is known; otherwise a slow worker would look silent. */
export async function loseWorker(service: BuiltApp, breakOff: () => void): Promise<void> {
  const countBefore = await connectedWorkers(service);
  breakOff();
  await until(async () => (await connectedWorkers(service)) < countBefore);
  await service.clock.pass(usualTimes.returnMs);
}

async function connectedWorkers({ app }: BuiltApp): Promise<number> {
  const { body } = await app.server.inject({ url: '/metrics' });
  const counts = body.matchAll(/^troupe_workers\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
