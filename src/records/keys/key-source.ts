/*
 * Where the secret keys come from: TROUPE_SECRET_KEY, or a file with one key a line. Keys are 32
 * bytes in base64. Their order matters only at the first start, when the first one becomes current.
 */
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { OperatorError } from '#shared/process/operator-error.ts';
import { KEY_BYTES } from '../engine/encryption/keyring.ts';

export type KeySource = {
  /** For messages to the operator. */
  name: string;
  /** Empty if there is no key file. */
  read: () => Buffer[];
  /** Null if this process cannot write to the source. */
  file: KeyFile | null;
};

export type KeyFile = {
  /** Creates the file, unless another process has just done so. */
  create(keys: readonly Buffer[]): void;
  add(key: Buffer): void;
  remove(key: Buffer): void;
};

export type KeySettings = {
  TROUPE_SECRET_KEY?: string | undefined;
  TROUPE_SECRET_KEY_FILE?: string | undefined;
  DATA_DIR: string;
};

export function keySource({
  TROUPE_SECRET_KEY: secretKeys,
  TROUPE_SECRET_KEY_FILE: file,
  DATA_DIR: dataDir,
}: KeySettings): KeySource {
  if (secretKeys) {
    const keys = secretKeys.split(',').map((text) => Buffer.from(text.trim(), 'base64'));
    return { name: 'TROUPE_SECRET_KEY', read: () => keys, file: null };
  }
  return fileSource(path.resolve(file ?? path.join(dataDir, 'secret.key')));
}

export const newKey = (): Buffer => randomBytes(KEY_BYTES);

function fileSource(file: string): KeySource {
  return {
    name: file,
    read: () => readKeys(file),
    file: {
      create(keys) {
        mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
        const draft = `${file}.${process.pid}`;
        writeKeys(draft, keys);
        try {
          // A link is atomic and never replaces a key that another process has just created.
          linkSync(draft, file);
          syncFolderOf(file);
        } catch (error) {
          if (!hasCode(error, 'EEXIST')) throw error;
        } finally {
          rmSync(draft);
        }
      },
      add: (key) => change(file, (keys) => [...keys, key]),
      remove: (key) => change(file, (keys) => keys.filter((each) => !each.equals(key))),
    },
  };
}

function readKeys(file: string): Buffer[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter(Boolean).map((line) => Buffer.from(line, 'base64'));
  if (keys.length > 0 && keys.every(({ length }) => length === KEY_BYTES)) return keys;
  throw new OperatorError(
    `${file} must hold secret keys, one a line: ${KEY_BYTES} bytes in base64.`,
  );
}

/** A lost key is lost data: the draft also keeps two processes from changing the file at once. */
function change(keyFile: string, nextKeys: (keys: Buffer[]) => Buffer[]): void {
  const file = realpathSync(keyFile);
  const draft = `${file}.new`;
  try {
    writeFileSync(draft, '', { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    throw new OperatorError(`Another command changes the keys. If none runs, delete ${draft}.`, {
      cause: error,
    });
  }
  try {
    writeKeys(draft, nextKeys(readKeys(file)));
    // The command may run as root, the service as another user.
    const { uid, gid } = statSync(file);
    chownSync(draft, uid, gid);
    renameSync(draft, file);
    syncFolderOf(file);
  } finally {
    rmSync(draft, { force: true });
  }
}

const writeKeys = (file: string, keys: readonly Buffer[]): void =>
  writeFileSync(file, keys.map((key) => `${key.toString('base64')}\n`).join(''), {
    mode: 0o600,
    flush: true,
  });

/** Without it, a power cut may undo a rename, and with it the key that encrypts newer records. */
function syncFolderOf(file: string): void {
  // Windows cannot open folders.
  if (process.platform === 'win32') return;
  const folder = openSync(path.dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
