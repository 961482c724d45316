import { canHear } from '#protocol/worker/speech-abilities.ts';
import type { Clock } from '#shared/clock.ts';
import { DEFAULT_POOL, type Fleet, type WorkerStatus } from './fleet.ts';

type Parts = {
  fleet: Pick<Fleet, 'workers'>;
  clock: Pick<Clock, 'elapsed'>;
  /** For how long an answer of the fleet is used again: with Redis it costs several requests. */
  keptMs: number;
};

/** Which languages agent workers of a pool recognize without an external endpoint. */
export function canRecognizeSpeech({ fleet, clock, keptMs }: Parts) {
  let keptAnswer: { until: number; workers: Promise<WorkerStatus[]> } | null = null;
  const workersNow = (): Promise<WorkerStatus[]> => {
    if (keptAnswer && clock.elapsed() < keptAnswer.until) return keptAnswer.workers;
    const answer = { until: clock.elapsed() + keptMs, workers: fleet.workers() };
    keptAnswer = answer;
    answer.workers.catch(() => {
      if (keptAnswer === answer) keptAnswer = null;
    });
    return answer.workers;
  };
  return async (pool: string | null): Promise<(language: string) => boolean> => {
    const agents = (await workersNow()).filter(
      ({ facts }) => facts.kind === 'agent' && facts.pool === (pool ?? DEFAULT_POOL),
    );
    return (language) => agents.some(({ facts }) => canHear(facts.abilities, language));
  };
}
