/*
 * `npm start` tells the control plane, by a file in DATA_DIR, which parts it is installing. The
 * file of a start that was killed does not count.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

export type SpeechPart = 'natural_voice' | 'speech_recognition';

type Note = { pid: number; parts: SpeechPart[] };

const fileIn = (dataDir: string): string => path.resolve(dataDir, 'installing.json');

export async function noteInstalling(dataDir: string, parts: SpeechPart[]): Promise<void> {
  const note: Note = { pid: process.pid, parts };
  if (parts.length === 0) await rm(fileIn(dataDir), { force: true });
  else await writeFile(fileIn(dataDir), JSON.stringify(note));
}

export async function readInstalling(dataDir: string): Promise<SpeechPart[]> {
  try {
    const { pid, parts } = JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as Note;
    // Throws if the process has ended.
    process.kill(pid, 0);
    return parts;
  } catch {
    return [];
  }
}
