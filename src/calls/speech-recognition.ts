import type { Log } from '#shared/log.ts';
import { DEFAULT_POOL, type Fleet } from '../fleet/fleet.ts';
import type { Agent } from '../records/agents.ts';
import type { ServiceModels } from './models/models.ts';

export type RecognizesSpeechParts = {
  service: Pick<ServiceModels, 'stt'>;
  fleet: Pick<Fleet, 'workers'>;
  log: Log;
};

/** Whether an agent is expected to understand speech in a call. `pool` is its owner's. */
export type RecognizesSpeech = (agent: Pick<Agent, 'stt'>, pool: string | null) => Promise<boolean>;

/** True with a speech endpoint, or if a worker of the pool has built-in recognition. */
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
      // In the call the agent itself reports whether it hears.
      log.warn({ err }, 'speech recognition of agent workers unknown');
      return false;
    }
  };
