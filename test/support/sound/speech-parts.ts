/*
 * Real parts of a spoken conversation, installed by install-speech-parts.ts in the folder that
 * TROUPE_SPEECH_PARTS names. They take 300 MB, too much for every `npm test`.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';

export type SpeechParts = {
  /** The default voice as `npm start` installs it. */
  voice: string;
  /** Speech recognition as `npm start` installs it. */
  hearing: string;
  /** The same model for SHERPA_MODEL_DIR. */
  model: string;
  /** A Python with the recogniser that judges speech. */
  judge: string;
};

export const speechPartsIn = (folder: string): SpeechParts => ({
  voice: path.resolve(folder, 'voice'),
  hearing: path.resolve(folder, 'hearing'),
  model: path.resolve(folder, 'model'),
  judge: path.resolve(folder, 'judge'),
});

const folder = process.env['TROUPE_SPEECH_PARTS'];
const named = folder === undefined ? null : speechPartsIn(folder);

/** Null when not installed; `.ci/run` then fails. */
export const speechParts: SpeechParts | null =
  named && Object.values(named).every((part) => existsSync(`${part}/ready`)) ? named : null;
