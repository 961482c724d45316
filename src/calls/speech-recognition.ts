import type { Log } from '#shared/log.ts';
import type { Agent } from '../records/agents/agents.ts';
import type { ServiceModels } from './models/models.ts';

export type RecognizesSpeechParts = {
  service: Pick<ServiceModels, 'stt'>;
  /** Whether an agent worker of the pool has a speech model of its own. */
  canRecognize: (pool: string | null) => Promise<boolean>;
  log: Log;
};

/** Whether an agent is expected to understand speech in a call. `pool` is its owner's. */
type RecognizesSpeech = (agent: Pick<Agent, 'stt'>, pool: string | null) => Promise<boolean>;

/** True with a speech endpoint, or if a worker of the pool has built-in recognition. */
export const recognizesSpeech =
  ({ service, canRecognize, log }: RecognizesSpeechParts): RecognizesSpeech =>
  async ({ stt }, pool) => {
    if (stt !== null || service.stt !== null) return true;
    try {
      return await canRecognize(pool);
    } catch (err) {
      // In the call the agent itself reports whether it hears.
      log.warn({ err }, 'speech recognition of agent workers unknown');
      return false;
    }
  };
