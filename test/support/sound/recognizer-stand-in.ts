/*
 * A program that answers like hearing.py without its packages. Its transcript is the length of the
 * sound; sounds of some lengths make it misbehave.
 */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { venvPython } from '#shared/process/venv-python.ts';

export const SHORT = 1_600;
export const DIES = 1_601;
export const HANGS = 1_602;
export const FAILS = 1_603;
export const RATE = 16_000;

export const RECOGNIZER = `
const { createInterface } = require('node:readline');
const tell = (message) => console.log(JSON.stringify(message));
tell({ ready: true, longest_seconds: 2 });
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, transcribe, end_of_turn: turn, rate } = JSON.parse(line);
  if (turn !== undefined) return tell({ id, probability: 0.5 });
  const samples = Buffer.from(transcribe, 'base64').length / 2;
  if (samples === ${DIES}) process.exit(3);
  if (samples === ${HANGS}) for (;;);
  if (samples === ${FAILS}) return tell({ id, failed: 'no' });
  tell({ id, text: samples === 0 ? '' : samples / rate + ' seconds', certainty: 0.7 });
});
`;

/** As `npm start` installs it: `python` is a script for Node. */
export async function installHearingStandIn(dataDir: string, script = RECOGNIZER): Promise<void> {
  const folders = { voice: path.join(dataDir, 'voice'), hearing: path.join(dataDir, 'hearing') };
  const python = venvPython(folders.voice);
  await mkdir(path.dirname(python), { recursive: true });
  await writeFile(python, `#!${process.execPath}\n${script}`);
  await chmod(python, 0o755);
  await mkdir(folders.hearing, { recursive: true });
  for (const folder of Object.values(folders)) await writeFile(path.join(folder, 'ready'), '');
}
