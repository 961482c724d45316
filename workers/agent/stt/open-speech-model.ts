import path from 'node:path';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { InstalledHearing } from './installed-hearing.ts';
import type { LocalSpeechModel } from './local-speech-model.ts';
import { sampleSpeech } from './sample-speech.ts';
import { SherpaModel } from './sherpa-model.ts';

type SpeechSettings = {
  DATA_DIR: string;
  HEARING: 'moonshine' | 'off';
  SHERPA_MODEL_DIR?: string;
};

type SpeechModelParts = {
  /** The Python environment that `npm start` installs. */
  pythonFolder: string;
  clock: Clock;
  log: Log;
};

/** The speech model that the settings choose. Null: none. */
export function openSpeechModel(
  { DATA_DIR, HEARING, SHERPA_MODEL_DIR }: SpeechSettings,
  { pythonFolder, clock, log }: SpeechModelParts,
): LocalSpeechModel | null {
  if (SHERPA_MODEL_DIR !== undefined) return new SherpaModel(SHERPA_MODEL_DIR, clock, log);
  if (HEARING === 'off') return null;
  const modelFolder = path.resolve(DATA_DIR, 'hearing');
  return new InstalledHearing({ modelFolder, pythonFolder, sampleSpeech, clock, log });
}
