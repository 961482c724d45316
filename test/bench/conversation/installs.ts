/* Time and size of what `npm start` installs for a conversation, from the package registry. */
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEFAULT_SPEECH, installDefaultSpeech } from '../../support/sound/default-speech.ts';
import { row, type Row } from '../report/row.ts';

const NAMES = { voice: 'the natural voice', hearing: 'English speech recognition' };

export async function installs(): Promise<Row[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'troupe-installs-'));
  const rows: Row[] = [];
  try {
    for (const part of DEFAULT_SPEECH) {
      const from = performance.now();
      const folder = await installDefaultSpeech(part, dataDir);
      const seconds = (performance.now() - from) / 1_000;
      const label = `to install ${NAMES[part]}`;
      const megabytes = (await bytesIn(folder)) / 1e6;
      rows.push(
        row({ what: label, unit: 's', values: seconds, better: 'lower' }),
        row({ what: `${label}: size on disk`, unit: 'MB', values: megabytes, better: 'lower' }),
      );
    }
    return rows;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => (await stat(path.join(parentPath, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
