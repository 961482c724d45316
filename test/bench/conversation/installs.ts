/* Time and size of what `npm start` installs for a conversation, from the package registry. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '#shared/clock.ts';
import { installHearing } from '../../../src/start/hearing.ts';
import { installNaturalVoice } from '../../../src/start/natural-voice.ts';
import { Guard } from '../../../src/start/processes/guard.ts';
import { row, type Row } from '../report/row.ts';

/** With their folders in DATA_DIR, in the order of `npm start`. */
const INSTALLS = [
  { name: 'the natural voice', part: 'voice', install: installNaturalVoice },
  { name: 'English speech recognition', part: 'hearing', install: installHearing },
];

const say = (line: string) => console.log(line);

export async function installs(): Promise<Row[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'troupe-installs-'));
  const guard = new Guard(systemClock);
  const { signal } = new AbortController();
  const rows: Row[] = [];
  try {
    for (const { name, part, install } of INSTALLS) {
      const folder = path.join(dataDir, part);
      const from = performance.now();
      await install({ dataDir, env: process.env, guard, say, signal });
      if (!existsSync(path.join(folder, 'ready'))) throw new Error(`${name} is not installed`);
      const seconds = (performance.now() - from) / 1_000;
      const label = `to install ${name}`;
      const megabytes = (await bytesIn(folder)) / 1e6;
      rows.push(
        row({ what: label, unit: 's', values: seconds, better: 'lower' }),
        row({ what: `${label}: size on disk`, unit: 'MB', values: megabytes, better: 'lower' }),
      );
    }
    return rows;
  } finally {
    await guard.close();
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
