import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startControlProcess, type ControlProcess } from '../processes/control-process.ts';

export const ATTACKER_KEY = 'key-of-the-account-that-attacks';
export const WORKER_TOKEN = 'a token that workers know';

/** A control plane in its own process with records of its own. */
export async function attackedControl(
  env: Record<string, string> = {},
  logFile?: string,
): Promise<ControlProcess & { close(): Promise<void> }> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-test-'));
  const control = await startControlProcess(
    {
      DATA_DIR: dataDir,
      TROUPE_API_KEY: ATTACKER_KEY,
      WORKER_TOKEN,
      REQUESTS_PER_MINUTE: '1000000',
      ...env,
    },
    logFile === undefined ? {} : { logFile },
  );
  return {
    ...control,
    async close() {
      await control.kill();
      rmSync(dataDir, { recursive: true });
    },
  };
}
