import { DEFAULT_POOL, type Fleet } from './fleet.ts';

/** True if an agent worker of the pool recognizes speech without an external endpoint. */
export const canRecognizeSpeech =
  (fleet: Pick<Fleet, 'workers'>) =>
  async (pool: string | null): Promise<boolean> => {
    const workers = await fleet.workers();
    return workers.some(
      ({ facts }) =>
        facts.kind === 'agent' &&
        facts.pool === (pool ?? DEFAULT_POOL) &&
        facts.abilities.includes('hears'),
    );
  };
