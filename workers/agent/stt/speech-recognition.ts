import { AudioFrame } from '@livekit/rtc-node';
import { STT as OpenAiStt } from '@livekit/agents-plugin-openai';
import type { CallBrief } from '#protocol/call-brief.ts';
import { baseLanguage } from '#protocol/languages.ts';
import { hearsAbility, TOO_SLOW_TO_HEAR } from '#protocol/worker/speech-abilities.ts';
import { endpointClient, NO_KEY } from '../endpoint-client.ts';
import type { Hearing } from '../listening/listener.ts';
import { HEARD_RATE } from '../listening/user-audio.ts';
import type { LocalSpeechModel } from './local-speech-model.ts';

/** By which a call understands speech. */
export type CallRecognizer = {
  hearing: Hearing;
  isReady: boolean;
  /** False: it will not be ready in this call. */
  whenReady: Promise<boolean>;
};

/** Speech recognition by an agent's endpoint, or by this worker's model for agents without one. */
export class SpeechRecognition {
  readonly #model: LocalSpeechModel | null;

  constructor(model: LocalSpeechModel | null) {
    this.#model = model;
  }

  /** What this worker tells the control plane. */
  get abilities(): string[] {
    switch (this.#model?.state) {
      case 'ready':
        return [hearsAbility(this.#model.language)];
      case 'too_slow':
        return [TOO_SLOW_TO_HEAR];
      case 'pending':
      case undefined:
        return [];
    }
  }

  /** Null: the agent understands text only. */
  recognizerFor({
    stt: endpoint,
    language,
  }: Pick<CallBrief, 'stt' | 'language'>): CallRecognizer | null {
    const model = this.#modelFor(language);
    if (!endpoint || (endpoint.isFallback && model?.state === 'ready'))
      return (
        model && {
          hearing: locally(model),
          isReady: model.state === 'ready',
          whenReady: model.whenDecided.then((verdict) => verdict === 'ready'),
        }
      );
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
    const model = this.#model;
    if (!model || model.state === 'too_slow') return null;
    return [null, baseLanguage(language)].includes(model.language) ? model : null;
  }

  close(): void {
    this.#model?.close();
  }

  /** The end of a turn is judged here, also in languages that the local model does not know. */
  #atEndpoint(recognizer: OpenAiStt): Hearing {
    const model = this.#model;
    return {
      isLocal: false,
      async transcribe(samples, signal) {
        const frame = new AudioFrame(samples, HEARD_RATE, 1, samples.length);
        const { alternatives } = await recognizer.recognize(frame, signal);
        return { text: alternatives?.[0]?.text ?? '', certainty: 1 };
      },
      get endOfTurn() {
        return model?.state === 'ready' ? model.endOfTurn : null;
      },
    };
  }
}

const locally = (model: LocalSpeechModel): Hearing => ({
  isLocal: true,
  transcribe: (samples) =>
    model.recognize(
      Float32Array.from(samples, (sample) => sample / 32_768),
      HEARD_RATE,
    ),
  endOfTurn: model.endOfTurn,
});
