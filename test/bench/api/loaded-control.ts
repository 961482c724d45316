import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  startControlProcess,
  type ControlProcess,
} from '../../support/processes/control-process.ts';
import { Child } from '../rpc.ts';
import type { Records } from './records.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

export const KEY = 'key-of-the-first-account';
export const WORKER_TOKEN = 'a token that workers know';
export const NORA = FIRST_AVATAR.id;

/** `load` asks a control plane, whose workers are in `pool`: three processes. */
export type LoadedControl = {
  control: ControlProcess;
  load: Child;
  pool: Child;
  /** The name of its records. */
  database: string;
};

/** Runs `use` with a new control plane. */
export async function withLoadedControl<Result>(
  records: Records,
  env: Record<string, string>,
  use: (loaded: LoadedControl) => Promise<Result>,
): Promise<Result> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-bench-'));
  const [load, pool] = [
    new Child(new URL('./api-load.ts', import.meta.url)),
    new Child(new URL('./api-workers.ts', import.meta.url)),
  ];
  let control: ControlProcess | null = null;
  try {
    control = await startControlProcess({
      DATA_DIR: dataDir,
      TROUPE_API_KEY: KEY,
      WORKER_TOKEN,
      REQUESTS_PER_MINUTE: '1000000000',
      ...env,
      ...(await records.env()),
    });
    await Promise.all([load.ready, pool.ready]);
    return await use({ control, load, pool, database: records.name });
  } finally {
    load.kill();
    pool.kill();
    await control?.kill();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
