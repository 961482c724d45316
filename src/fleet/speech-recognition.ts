import { canHear } from '#protocol/worker/speech-abilities.ts';
import { DEFAULT_POOL, type Fleet } from './fleet.ts';

/** Whether an agent worker of the pool recognizes speech without an external endpoint. */
export const canRecognizeSpeech =
  (fleet: Pick<Fleet, 'workers'>) =>
  async (pool: string | null, language: string): Promise<boolean> => {
    const workers = await fleet.workers();
    return workers.some(
      ({ facts }) =>
        facts.kind === 'agent' &&
        facts.pool === (pool ?? DEFAULT_POOL) &&
        canHear(facts.abilities, language),
    );
  };
