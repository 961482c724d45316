import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { filesReachedFrom } from '../../support/import-graph.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const DATA = [
  'workers/avatar/lipsync/**/*.{json,wasm}',
  'test/fixtures/{held-out,lipsync}/**/*.{flac,json,jsonl}',
  'test/gates/baselines/lipsync{,-folds}.json',
];

/** Inputs of the lip-sync scores: code, weights, kernel, speech and baseline. */
export function lipSyncInputs(): string[] {
  const code = filesReachedFrom('test/gates/measures/lipsync.ts');
  return [...code, ...globSync(DATA, { cwd: ROOT })].sort();
}

/** Another version of V8 may round sines differently. */
export function digestOf(files: string[], engine = `${process.versions.v8} ${process.arch}`) {
  const digest = createHash('sha256').update(engine);
  for (const file of files) {
    const content = createHash('sha256').update(readFileSync(path.join(ROOT, file)));
    digest.update(`\n${file} ${content.digest('hex')}`);
  }
  return digest.digest('hex');
}
