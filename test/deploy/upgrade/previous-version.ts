/* The version before this one, from the history of this repository and without a network. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ChaosWorker } from '../../chaos/worker.ts';
import { LAST_MIGRATION } from '../../../src/records/migrations/migrate.ts';

const run = promisify(execFile);

export type PreviousVersion = {
  commit: string;
  /** A checkout that can run. */
  folder: string;
  /** Starts on the database of a newer version. Versions before that rule refuse it. */
  takesNewerRecords: boolean;
  /** Its worker runtime. */
  Worker: typeof ChaosWorker;
  addOperatorKey: (databaseUrl: string) => Promise<void>;
  remove(): Promise<void>;
};

/** `given`: a commit. Default: the last one whose records lack the newest migration. */
export async function checkOutPrevious(revision: string | undefined): Promise<PreviousVersion> {
  const commit = revision ?? (await lastWithoutNewestMigration());
  const folder = await mkdtemp(path.join(tmpdir(), 'troupe-previous-'));
  await run('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', commit, folder]);
  await addPackages(folder);
  const at = (file: string) => path.join(folder, file);
  const { ChaosWorker: Worker } = await import(at('test/chaos/worker.ts'));
  const { addOperatorKey } = await import(at('test/chaos/operator.ts'));
  return {
    commit,
    folder,
    takesNewerRecords: existsSync(at('src/records/migrations/newer-migrations.ts')),
    Worker,
    addOperatorKey,
    remove: () => rm(folder, { recursive: true }),
  };
}

async function lastWithoutNewestMigration(): Promise<string> {
  const file = `src/records/migrations/${LAST_MIGRATION}.ts`;
  const log = ['log', '--diff-filter=A', '-1', '--format=%P', '--', file];
  const parent = (await run('git', log)).stdout.trim().split(' ')[0];
  if (!parent)
    throw new Error(
      `The history has no commit before ${file}: use a full clone, or name a commit in PREVIOUS.`,
    );
  return parent;
}

/** Shares the installed packages if they have the right versions. */
async function addPackages(folder: string): Promise<void> {
  const { dependencies } = read(path.join(folder, 'package.json')) as {
    dependencies: Record<string, string>;
  };
  const isInstalled = ([name, version]: [string, string]) => {
    const file = `node_modules/${name}/package.json`;
    return existsSync(file) && (read(file) as { version: string }).version === version;
  };
  if (Object.entries(dependencies).every(isInstalled))
    await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  else await run('npm', ['ci', '--prefer-offline'], { cwd: folder });
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
