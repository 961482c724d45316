import type { Log } from '#shared/log.ts';
import { DEFAULT_POOL, type Fleet } from '../fleet/fleet.ts';
import type { Agent } from '../records/agents.ts';
import type { ServiceModels } from './models/models.ts';

export type RecognizesSpeechParts = {
  service: Pick<ServiceModels, 'stt'>;
  fleet: Pick<Fleet, 'workers'>;
  log: Log;
};

/** Whether an agent understands speech, as far as that can be said before its call; `pool` is its owner's. */
export type RecognizesSpeech = (agent: Pick<Agent, 'stt'>, pool: string | null) => Promise<boolean>;

/** By an endpoint; without one, by what a worker has of its own, of which any may get the call. */
export const recognizesSpeech =
  ({ service, fleet, log }: RecognizesSpeechParts): RecognizesSpeech =>
  async ({ stt }, pool) => {
    if (stt !== null || service.stt !== null) return true;
    try {
      const workers = await fleet.workers();
      return workers.some(
        ({ facts }) =>
          facts.kind === 'agent' &&
          facts.pool === (pool ?? DEFAULT_POOL) &&
          facts.abilities.includes('hears'),
      );
    } catch (err) {
      // In the call its agent says so itself.
      log.warn({ err }, 'nobody can say whether agent workers hear');
      return false;
    }
  };
