import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config.ts';
import { hasRecords } from '../../start/data-folder.ts';
import { ok, problem, warning, type Check } from './check.ts';

/**
 * The secret key that encrypts the records, and the keys that the programs share. Contents are not
 * read.
 */
export async function checkSecrets(config: Config): Promise<Check> {
  const dataDir = path.resolve(config.DATA_DIR);
  const secret = path.resolve(config.TROUPE_SECRET_KEY_FILE ?? path.join(dataDir, 'secret.key'));
  const isEncrypted = config.DATABASE_URL === undefined && hasRecords(dataDir);
  if (isEncrypted && !config.TROUPE_SECRET_KEY && !existsSync(secret)) {
    return problem(
      'Secrets',
      `${secret} is missing, and the records are encrypted with it`,
      'Bring the file back from your backup, or set TROUPE_SECRET_KEY.',
    );
  }
  const files = [secret, path.join(dataDir, 'service-keys.json')];
  const open: string[] = [];
  for (const file of files) {
    const fileStat = await stat(file).catch(() => null);
    if (fileStat && process.platform !== 'win32' && (fileStat.mode & OTHERS) !== 0) open.push(file);
  }
  if (open.length > 0) {
    return problem(
      'Secrets',
      `others can read ${open.join(' and ')}`,
      `Run: chmod 600 ${open.join(' ')}`,
    );
  }
  const existingFiles = files.filter((file) => existsSync(file));
  return ok(
    'Secrets',
    existingFiles.length > 0
      ? `readable by their owner only: ${existingFiles.join(', ')}`
      : 'made at the first start',
  );
}

/** `accepted`: what the service said about the API key. Null: it was not asked. */
export function checkApiKey(key: string | undefined, accepted: number | null): Check {
  if (!key) {
    return warning(
      'API key',
      'none is set',
      'Make one in the folder of the service with `troupe key create --name cli`, and put TROUPE_API_KEY=... into .env.',
    );
  }
  if (accepted === null) return ok('API key', 'set, but not checked: no service is running');
  if (accepted === 204) return ok('API key', 'accepted by the service');
  return problem(
    'API key',
    accepted === 401 ? 'the service does not know it' : `the service answered ${accepted}`,
    'Make another one with `troupe key create --name cli`, or correct TROUPE_API_KEY.',
  );
}

/** Any permission of the group or of others. */
const OTHERS = 0o077;
