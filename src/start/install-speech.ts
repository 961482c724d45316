/*
 * `node src/start/install-speech.ts FOLDER`: installs the natural voice and speech recognition
 * ahead of time, for images and machines that fetch nothing while they run. Agent workers use them
 * with SPEECH_DIR=FOLDER. Needs Python 3 with venv.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '#shared/clock.ts';
import { installSpeech } from './default-speech.ts';
import { Guard } from './processes/guard.ts';
import type { SpeechInstall } from './speech-install.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node src/start/install-speech.ts FOLDER');
// Other users run the agent workers.
await mkdir(folder, { recursive: true });
const guard = new Guard(systemClock);
const install: SpeechInstall = {
  dataDir: folder,
  env: process.env,
  guard,
  say: (line) => console.log(line),
  signal: new AbortController().signal,
};
await installSpeech(install);
await guard.close();
for (const part of ['voice', 'hearing'])
  if (!existsSync(path.join(folder, part, 'ready'))) throw new Error(`${part} is not installed`);
