import { delay, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { costChanges, type WorkerLoad } from './deletion-costs.ts';
import type { Pods } from './kubernetes-pods.ts';

/** An autoscaler waits minutes before it removes a worker. */
const EVERY_MS = 10_000;
/** Upper bound of a round, so that a large fleet costs the API server five requests a second. */
const MOST_CHANGES = 50;
/** A server that accepts a request and never answers must not stop the rounds. */
const ANSWER_MS = 5_000;

type RoundParts = {
  pods: Pods;
  loads: (signal: AbortSignal) => Promise<WorkerLoad[]>;
  clock: Clock;
  log: Log;
};

/** Sets the costs in rounds until `stop` aborts. A failed round is logged and the next one runs. */
export async function runCostRounds(parts: RoundParts, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await inRound(parts, stop).catch((error: unknown) => {
      if (!stop.aborted) parts.log.warn({ err: error }, 'deletion costs not set');
    });
    await delay(parts.clock, EVERY_MS, stop).catch(() => {});
  }
}

async function inRound({ pods, loads, clock, log }: RoundParts, stop: AbortSignal) {
  const timeout = new AbortController();
  const signal = AbortSignal.any([stop, timeout.signal]);
  /** Each step gets the whole time. */
  const inTime = async <Result>(work: Promise<Result>): Promise<Result> => {
    const cancel = clock.after(ANSWER_MS, () => timeout.abort(new Error('no answer in time')));
    return work.finally(cancel);
  };
  const [listed, workers] = await inTime(Promise.all([pods.list(signal), loads(signal)]));
  const changes = costChanges(listed, workers, MOST_CHANGES);
  for (const change of changes) await inTime(pods.setCost(change, signal));
  if (changes.length > 0) log.info({ pods: changes.length }, 'deletion costs set');
}
