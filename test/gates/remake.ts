/*
 * Rewrites the baselines of the named gates, or of all:
 *   npx tsx test/gates/remake.ts [lipsync ...]
 * Review the difference before committing it. A baseline changes only with a change that intends
 * it.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Figures, writeBaseline, writeMeasured } from './baseline.ts';
import { frameCosts } from './measures/frame-cost.ts';
import {
  BUILT_IN,
  buildPhotoAvatar,
  builtInSheet,
  sheetOfFile,
  writeGolden,
} from './measures/golden.ts';
import { digestOf, lipSyncInputs } from './measures/lipsync-inputs.ts';
import { foldFigures, folds, heldOutSpeech, lagMs, lipSyncFigures } from './measures/lipsync.ts';
import { pageSizes, shippedSizes } from './measures/sizes.ts';

const gates: Record<string, () => void | Promise<void>> = {
  lipsync: () => {
    figures('lipsync', lipSyncFigures());
    figures('lipsync-folds', Object.assign({}, ...folds().map(foldFigures)));
    const inputs = digestOf(lipSyncInputs());
    writeMeasured('lipsync', { inputs, lagMs: lagMs(heldOutSpeech()) });
  },
  'frame-cost': () => {
    const { pictures, bytes, instructions } = frameCosts();
    figures('frame-pictures', pictures);
    figures('frame-bytes', bytes);
    figures('frame-instructions', instructions);
  },
  golden: async () => {
    for (const name of BUILT_IN) writeGolden(name, await builtInSheet(name));
    const folder = await mkdtemp(path.join(tmpdir(), 'golden-'));
    const file = path.join(folder, 'photo.avatar');
    await writeFile(file, (await buildPhotoAvatar(() => {})).bundle);
    writeGolden('photo', await sheetOfFile(file));
    await rm(folder, { recursive: true });
  },
  'session-traffic': () => {
    // The control plane of the tests runs only in vitest.
    const file = 'test/gates/session-traffic.test.ts';
    const command = ['vitest', 'run', '--config', 'test/vitest.config.ts', '--project', 'unit'];
    execFileSync('npx', [...command, file, '--update'], { stdio: 'inherit' });
  },
  sizes: async () => {
    figures('page-sizes', await pageSizes());
    figures('shipped-sizes', await shippedSizes());
  },
};

function figures(gate: string, measured: Figures) {
  writeBaseline(gate, measured);
  console.table(measured);
}

const names = process.argv.slice(2);
for (const name of names.length > 0 ? names : Object.keys(gates)) {
  const remake = gates[name];
  if (!remake) throw new Error(`no gate ${name}; available: ${Object.keys(gates).join(', ')}`);
  await remake();
}
