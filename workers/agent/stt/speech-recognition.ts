import { AudioFrame } from '@livekit/rtc-node';
import { STT as OpenAiStt } from '@livekit/agents-plugin-openai';
import type { CallBrief } from '#protocol/call-brief.ts';
import { baseLanguage } from '#protocol/languages.ts';
import { hearsAbility, TOO_SLOW_TO_HEAR } from '#protocol/worker/speech-abilities.ts';
import { endpointClient, NO_KEY } from '../endpoint-client.ts';
import type { Hearing } from '../listening/listener.ts';
import { HEARD_RATE } from '../listening/user-audio.ts';
import type { LocalSpeechModel } from './local-speech-model.ts';
import type { SpeechModels } from './speech-models.ts';

/** By which a call understands speech. */
export type CallRecognizer = {
  hearing: Hearing;
  isReady: boolean;
  /** False: it will not be ready in this call. */
  whenReady: Promise<boolean>;
};

/** Speech recognition by an agent's endpoint, or by this worker's models for agents without one. */
export class SpeechRecognition {
  readonly #models: SpeechModels;

  constructor(models: SpeechModels) {
    this.#models = models;
  }

  /** What this worker tells the control plane. */
  get abilities(): string[] {
    const { models } = this.#models;
    const languages = models
      .filter(({ state }) => state === 'ready')
      .flatMap((model): readonly (string | null)[] => model.languages ?? [null]);
    return [
      ...new Set(languages.map(hearsAbility)),
      ...(models.some(({ state }) => state === 'too_slow') ? [TOO_SLOW_TO_HEAR] : []),
    ];
  }

  /** Null: the agent understands text only. */
  recognizerFor({
    stt: endpoint,
    language,
  }: Pick<CallBrief, 'stt' | 'language'>): CallRecognizer | null {
    const model = this.#modelFor(language);
    if (!endpoint || (endpoint.isFallback && model?.state === 'ready')) {
      model?.prepare?.();
      return (
        model && {
          hearing: this.#locally(model, language),
          isReady: model.state === 'ready',
          whenReady: model.whenDecided.then((verdict) => verdict === 'ready'),
        }
      );
    }
    const external = new OpenAiStt({
      client: endpointClient(endpoint),
      apiKey: endpoint.key ?? NO_KEY,
      model: endpoint.model,
      language: baseLanguage(language),
      useRealtime: false,
    });
    return {
      hearing: this.#atEndpoint(external),
      isReady: true,
      whenReady: Promise.resolve(true),
    };
  }

  #modelFor(language: string): LocalSpeechModel | null {
    const base = baseLanguage(language);
    const model = this.#models.models.find(
      ({ languages, state }) => state !== 'too_slow' && (languages?.includes(base) ?? true),
    );
    return model ?? null;
  }

  close(): void {
    this.#models.close();
  }

  /** By the local model that can, also for other languages than its own. */
  get #endOfTurn(): Hearing['endOfTurn'] {
    const { models } = this.#models;
    return models.find(({ state, endOfTurn }) => state === 'ready' && endOfTurn)?.endOfTurn ?? null;
  }

  #atEndpoint(recognizer: OpenAiStt): Hearing {
    const endOfTurn = () => this.#endOfTurn;
    return {
      isLocal: false,
      async transcribe(samples, signal) {
        const frame = new AudioFrame(samples, HEARD_RATE, 1, samples.length);
        const { alternatives } = await recognizer.recognize(frame, signal);
        return { text: alternatives?.[0]?.text ?? '', certainty: 1 };
      },
      get endOfTurn() {
        return endOfTurn();
      },
    };
  }

  #locally(model: LocalSpeechModel, language: string): Hearing {
    const endOfTurn = () => this.#endOfTurn;
    return {
      isLocal: true,
      ...(model.interims && { interims: model.interims }),
      transcribe: (samples, _signal, goesOn = false) =>
        model.recognize(
          Float32Array.from(samples, (sample) => sample / 32_768),
          HEARD_RATE,
          { language: baseLanguage(language), goesOn },
        ),
      get endOfTurn() {
        return endOfTurn();
      },
    };
  }
}
