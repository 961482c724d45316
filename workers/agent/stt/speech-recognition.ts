import { stt } from '@livekit/agents';
import { STT as OpenAiStt } from '@livekit/agents-plugin-openai';
import type { Log } from '#shared/log.ts';
import type { CallBrief } from '#protocol/call-brief.ts';
import { baseLanguage } from '#protocol/languages.ts';
import { endpointClient, NO_KEY } from '../endpoint-client.ts';
import { openRecognizer, type Recognizer } from './sherpa.ts';
import { SherpaStt } from './sherpa-stt.ts';

/** Speech recognition by an agent's endpoint, or by this worker's model for agents without one. */
export class SpeechRecognition {
  readonly #recognizer: Promise<Recognizer | null>;

  constructor(modelFolder: string | undefined, log: Log) {
    this.#recognizer =
      modelFolder === undefined
        ? Promise.resolve(null)
        : openRecognizer(modelFolder).catch((error: unknown) => {
            log.error(
              { err: error },
              'SHERPA_MODEL_DIR does not work: agents without an `stt` endpoint do not understand speech',
            );
            return null;
          });
  }

  async hasLocalModel(): Promise<boolean> {
    return (await this.#recognizer) !== null;
  }

  /** Null: the agent understands text only. */
  async recognizerFor({
    stt: endpoint,
    language,
  }: Pick<CallBrief, 'stt' | 'language'>): Promise<stt.STT | null> {
    if (endpoint) {
      const client = endpointClient(endpoint);
      return new OpenAiStt({
        client,
        apiKey: endpoint.key ?? NO_KEY,
        model: endpoint.model,
        language: baseLanguage(language),
        useRealtime: false,
      });
    }
    const recognizer = await this.#recognizer;
    return recognizer && new SherpaStt(recognizer);
  }
}
