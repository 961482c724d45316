import { existsSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '#shared/clock.ts';
import { Guard } from '../../../src/start/processes/guard.ts';
import { installHearing } from '../../../src/start/hearing.ts';
import { installNaturalVoice } from '../../../src/start/natural-voice.ts';

/** Installers of speech that `npm start` runs in this order, by their folder in DATA_DIR. */
const INSTALLERS = { voice: installNaturalVoice, hearing: installHearing };

export type DefaultSpeech = keyof typeof INSTALLERS;

export const DEFAULT_SPEECH = Object.keys(INSTALLERS) as DefaultSpeech[];

/** Installs a part as `npm start` does. Returns its folder. */
export async function installDefaultSpeech(part: DefaultSpeech, dataDir: string): Promise<string> {
  const folder = path.join(dataDir, part);
  const guard = new Guard(systemClock);
  await INSTALLERS[part]({
    dataDir,
    env: process.env,
    guard,
    say: (line) => console.log(line),
    signal: new AbortController().signal,
  });
  await guard.close();
  if (!existsSync(path.join(folder, 'ready'))) throw new Error(`${part} is not installed.`);
  return folder;
}
