/*
 * Installs packages by npm. Like bootstrap.mjs, it needs no packages, and its syntax is that
 * of Node 14.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../../shared/process/child-environment.mjs';
import { run } from './child-program.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];
/** npm does not stop for SIGTERM while it unpacks. */
const NPM_GRACE_MS = 4_000;

/**
 * Why an install is needed, or null. Compares the lockfile with the one npm keeps in node_modules.
 * Optional packages may be missing; so may development packages (`npm ci --omit=dev`) unless
 * `withDev`.
 */
export function reasonToInstall(folder, { withDev = true } = {}) {
  const locked = readLock(path.join(folder, 'package-lock.json'));
  // An installed package has no lockfile: npm has installed what it needs.
  if (!locked && !existsSync(path.join(folder, 'src/main.ts'))) return null;
  const installed = readLock(path.join(folder, 'node_modules/.package-lock.json'));
  if (!installed) return 'no packages are installed';
  for (const [name, entry] of Object.entries(locked ?? {})) {
    if (name === '' || !entry.integrity) continue;
    const present = installed[name];
    if (present ? present.integrity === entry.integrity : mayBeMissing(entry, withDev)) continue;
    return `${name.replace(/^.*node_modules\//, '')} is ${present ? 'another version' : 'missing'}`;
  }
  return null;
}

function mayBeMissing(entry, withDev) {
  return entry.optional || entry.devOptional || (entry.dev && !withDev);
}

function readLock(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}

/**
 * Runs npm and prints a line every five seconds. With `adds`, the packages that are there stay,
 * for a service that runs from them; otherwise `npm ci` replaces all of them.
 */
export function install(
  folder,
  reason,
  { what, withDev = true, adds = false, say = console.log } = {},
) {
  const packages = what || `the packages of ${path.relative(root, folder) || 'Troupe'}`;
  const order = adds ? ['install', '--no-save'] : ['ci'];
  say(`Installing ${packages} with npm ${order[0]} (${reason}).`);
  const script = process.env.npm_execpath;
  const isNpm = script !== undefined && /npm-cli\.c?js$/.test(script);
  const [command, ...first] = isNpm ? [process.execPath, script] : ['npm'];
  const begunAt = performance.now();
  const seconds = () => Math.round((performance.now() - begunAt) / 1000);
  const ticker = setInterval(() => say(`Installing: ${seconds()} s`), 5_000);
  const dev = withDev ? '--include=dev' : '--omit=dev';
  const npm = run(command, [...first, ...order, dev, ...QUIET], {
    cwd: folder,
    // Packages may run scripts.
    env: childEnvironment(process.env, ['npm_*']),
    stdio: ['ignore', 'ignore', 'inherit'],
    killAfterMs: NPM_GRACE_MS,
  });
  const ended = npm.ended.finally(() => clearInterval(ticker));
  return { ...npm, ended };
}
