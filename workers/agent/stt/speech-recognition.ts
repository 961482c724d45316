import { AudioFrame } from '@livekit/rtc-node';
import { STT as OpenAiStt } from '@livekit/agents-plugin-openai';
import type { Log } from '#shared/log.ts';
import type { CallBrief } from '#protocol/call-brief.ts';
import { baseLanguage } from '#protocol/languages.ts';
import { endpointClient, NO_KEY } from '../endpoint-client.ts';
import { openRecognizer, type Recognizer } from './sherpa.ts';
import type { Hearing } from '../listening/listener.ts';
import { HEARD_RATE } from '../listening/user-audio.ts';

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
  }: Pick<CallBrief, 'stt' | 'language'>): Promise<Hearing | null> {
    if (endpoint) {
      const client = endpointClient(endpoint);
      return atEndpoint(
        new OpenAiStt({
          client,
          apiKey: endpoint.key ?? NO_KEY,
          model: endpoint.model,
          language: baseLanguage(language),
          useRealtime: false,
        }),
      );
    }
    const recognizer = await this.#recognizer;
    return recognizer && locally(recognizer);
  }
}

const atEndpoint = (recognizer: OpenAiStt): Hearing => ({
  isLocal: false,
  async transcribe(samples, signal) {
    const frame = new AudioFrame(samples, HEARD_RATE, 1, samples.length);
    const { alternatives } = await recognizer.recognize(frame, signal);
    return alternatives?.[0]?.text ?? '';
  },
  endOfTurn: null,
});

const locally = (recognizer: Recognizer): Hearing => ({
  isLocal: true,
  transcribe: (samples) =>
    recognizer.recognize(
      Float32Array.from(samples, (sample) => sample / 32_768),
      HEARD_RATE,
    ),
  endOfTurn: null,
});
