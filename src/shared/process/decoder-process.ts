/*
 * Limits of a process that decodes an untrusted file, beside those of memory and time. It gets an
 * empty environment, loads its code and models, drops root, and only then receives the file.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** All that it may read: its code and models. Not DATA_DIR, and not `.env`. */
export const ownFiles = (root: string): string[] => [
  ...['src/', 'workers/', 'node_modules/', 'package.json'].map((file) => path.join(root, file)),
  // Packages of an installed package lie beside it.
  ...installedPackages(root),
];

function installedPackages(root: string): string[] {
  const at = root.indexOf(PACKAGES);
  return at < 0 ? [] : [root.slice(0, at + PACKAGES.length)];
}

const PACKAGES = `${path.sep}node_modules${path.sep}`;

/** Flags of Node. The process may write no file, start no process and open no debugger. */
export const DECODER_FLAGS = [
  '--permission',
  ...ownFiles(root).map((file) => `--allow-fs-read=${file}`),
  '--allow-worker',
];

/** The account `nobody`. */
export const NOBODY = 65_534;

/**
 * Changes the user of a process that runs as root, for good. Native code is not bound by Node's
 * permissions, but by those of its user. Call it when everything is loaded: that user may be unable
 * to read the installation.
 */
export function dropRoot(): void {
  if (process.getuid?.() !== 0) return;
  try {
    process.setgroups?.([]);
    process.setgid?.(NOBODY);
    process.setuid?.(NOBODY);
  } catch (error) {
    // A container whose root may not change users has little to drop.
    if (!isDenied(error)) throw error;
  }
}

const isDenied = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EPERM' || error.code === 'EINVAL');
