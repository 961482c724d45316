import { canHear } from '#protocol/worker/speech-abilities.ts';
import { DEFAULT_POOL, type Fleet } from './fleet.ts';

/** Which languages agent workers of a pool recognize without an external endpoint. */
export const canRecognizeSpeech =
  (fleet: Pick<Fleet, 'workers'>) =>
  async (pool: string | null): Promise<(language: string) => boolean> => {
    const workers = await fleet.workers();
    const agents = workers.filter(
      ({ facts }) => facts.kind === 'agent' && facts.pool === (pool ?? DEFAULT_POOL),
    );
    return (language) => agents.some(({ facts }) => canHear(facts.abilities, language));
  };
