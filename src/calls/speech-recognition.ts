import type { Log } from '#shared/log.ts';
import type { Agent } from '../records/agents.ts';
import type { ServiceModels } from './models/models.ts';

export type RecognizesSpeechParts = {
  service: Pick<ServiceModels, 'stt'>;
  /** Whether an agent worker of the pool has a speech model of its own. */
  canRecognize: (pool: string | null) => Promise<boolean>;
  log: Log;
};

/** Whether an agent understands speech, as far as is known before its call. `pool`: its owner's. */
export type RecognizesSpeech = (agent: Pick<Agent, 'stt'>, pool: string | null) => Promise<boolean>;

/** By an endpoint, else by a worker's own model. Any worker of the pool may get the call. */
export const recognizesSpeech =
  ({ service, canRecognize, log }: RecognizesSpeechParts): RecognizesSpeech =>
  async ({ stt }, pool) => {
    if (stt !== null || service.stt !== null) return true;
    try {
      return await canRecognize(pool);
    } catch (err) {
      // During the call the agent says so itself.
      log.warn({ err }, 'speech recognition of agent workers unknown');
      return false;
    }
  };
