/*
 * Real parts of a spoken conversation, made by install-speech-parts.ts in the folder that TROUPE_SPEECH_PARTS names: 300 MB are too much for
 * every `npm test`.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';

export type SpeechParts = {
  /** What `npm start` makes of the default voice in its data folder. */
  voice: string;
  /** For SHERPA_MODEL_DIR. */
  model: string;
  /** A Python with the recogniser that judges what is spoken. */
  judge: string;
};

export const speechPartsIn = (folder: string): SpeechParts => ({
  voice: path.resolve(folder, 'voice'),
  model: path.resolve(folder, 'model'),
  judge: path.resolve(folder, 'judge'),
});

const folder = process.env['TROUPE_SPEECH_PARTS'];
const named = folder === undefined ? null : speechPartsIn(folder);

/** Null where they are not installed; `.ci/run` fails then. */
export const speechParts: SpeechParts | null =
  named && [named.voice, named.model, named.judge].every((part) => existsSync(`${part}/ready`))
    ? named
    : null;
