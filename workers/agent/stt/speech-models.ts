import path from 'node:path';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { InstalledHearing } from './installed-hearing.ts';
import { InstalledModels } from './installed-models.ts';
import type { LocalSpeechModel } from './local-speech-model.ts';
import { sampleSpeech } from './sample-speech.ts';
import { SherpaModel } from './sherpa-model.ts';

/** The speech models of this worker. For a language, the first one that knows it is used. */
export type SpeechModels = { readonly models: readonly LocalSpeechModel[]; close(): void };

type SpeechSettings = {
  DATA_DIR: string;
  HEARING: 'moonshine' | 'off';
  SHERPA_MODEL_DIR?: string;
};

type SpeechModelParts = {
  /** The model and the Python environment that `npm start` installs. */
  hearingFolder: string;
  pythonFolder: string;
  /** Other models can be used now. */
  onChange: () => void;
  clock: Clock;
  log: Log;
};

/** Those that the settings choose. */
export function openSpeechModels(
  { DATA_DIR, HEARING, SHERPA_MODEL_DIR }: SpeechSettings,
  { hearingFolder: modelFolder, pythonFolder, onChange, clock, log }: SpeechModelParts,
): SpeechModels {
  if (SHERPA_MODEL_DIR === undefined && HEARING === 'off') return { models: [], close: () => {} };
  const main =
    SHERPA_MODEL_DIR === undefined
      ? new InstalledHearing({ modelFolder, pythonFolder, sampleSpeech, clock, log })
      : new SherpaModel(SHERPA_MODEL_DIR, clock, log);
  void main.whenDecided.then(onChange);
  if (main instanceof SherpaModel) return { models: [main], close: () => main.close() };
  const folder = path.resolve(DATA_DIR, 'speech-models');
  const installed = new InstalledModels({ folder, sampleSpeech, onChange, clock, log });
  return {
    get models() {
      return [main, ...installed.models];
    },
    close() {
      main.close();
      installed.close();
    },
  };
}
