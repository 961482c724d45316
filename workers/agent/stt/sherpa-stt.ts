import { mergeFrames, stt } from '@livekit/agents';
import type { Recognizer } from './sherpa.ts';

/**
 * Speech recognition by a local model, one utterance at a time. The framework's voice activity
 * detection finds the end.
 */
export class SherpaStt extends stt.STT {
  readonly label = 'troupe.SherpaStt';
  readonly #recognizer: Recognizer;

  constructor(recognizer: Recognizer) {
    super({ streaming: false, interimResults: false });
    this.#recognizer = recognizer;
  }

  protected override async _recognize(
    frames: Parameters<stt.STT['recognize']>[0],
  ): Promise<stt.SpeechEvent> {
    const { data, sampleRate } = mergeFrames(frames);
    const samples = Float32Array.from(data, (sample) => sample / 32_768);
    const text = await this.#recognizer.recognize(samples, sampleRate);
    return {
      type: stt.SpeechEventType.FINAL_TRANSCRIPT,
      alternatives: [
        {
          text,
          language: '' as stt.SpeechData['language'],
          startTime: 0,
          endTime: 0,
          confidence: 0,
        },
      ],
    };
  }

  override stream(): stt.SpeechStream {
    throw new Error('streaming is not supported');
  }
}
