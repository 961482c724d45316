/*
 * `node src/start/bootstrap.mjs [role]`: what `npm start` and `npm test` run first. Works with any Node from 20 on and without
 * packages: installs them when needed, finds Node 24, runs the role under it and hands on signals.
 *
 * Who ends whom: the role ends when our IPC channel to it closes; we end it when npm, our parent, is gone (kill -9 of npm tells nobody,
 * only the parent's id changes). Scripts in package.json say `exec node ...`: else npm signals a shell that dies alone.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const NEEDED_NODE = 24;
const roles = { supervisor: 'src/start/supervisor.ts', test: 'src/start/test.ts' };

/** npm does not stop for SIGTERM while it unpacks. */
const NPM_GRACE_MS = 4_000;
const PARENT_POLL_MS = 1_000;

/**
 * Why an install is needed, or null: npm keeps in node_modules what it last installed. What is optional, or only for development
 * (`npm ci --omit=dev`), may be missing.
 */
export function reasonToInstall(folder, { withDev = true } = {}) {
  const locked = readLock(path.join(folder, 'package-lock.json'));
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

/** The packaged Node 24, else this one or the system's if new enough, else null. */
export function findNode(folder, running = process) {
  const platform = running.platform === 'win32' ? 'win' : running.platform;
  const binary = running.platform === 'win32' ? 'node.exe' : 'node';
  const packaged = path.join(folder, `node_modules/node-${platform}-${running.arch}/bin/${binary}`);
  if (existsSync(packaged)) return packaged;
  return Number.parseInt(running.versions.node, 10) >= NEEDED_NODE ? running.execPath : null;
}

async function main([role = 'supervisor', ...args]) {
  if (!(role in roles))
    return fail(`There is no role "${role}": ${Object.keys(roles).join(', ')}.`);
  let child = null;
  let stopped = null;
  const stop = (signal) => {
    stopped ??= signal;
    child?.stop(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop('SIGTERM'), PARENT_POLL_MS).unref();

  const reason = reasonToInstall(root, { withDev: role === 'test' });
  if (reason) {
    child = install(root, reason);
    const code = await child.ended;
    if (stopped) return 130;
    if (code !== 0) return fail('The packages could not be installed: see above what npm says.');
  }

  const node = findNode(root);
  if (!node) {
    return fail(
      `Troupe runs under Node ${NEEDED_NODE}. This is ${process.version}, and there is no packaged one for ${process.platform} ${process.arch}: ` +
        `install Node ${NEEDED_NODE} or newer (https://nodejs.org) and run this again.`,
    );
  }
  child = run(
    node,
    ['--disable-warning=ExperimentalWarning', path.join(root, roles[role]), ...args],
    {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: {
        ...process.env,
        PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
      },
    },
  );
  return child.ended;
}

/** `npm ci`, with a line every five seconds. */
export function install(folder, reason, say = console.log) {
  const name = path.relative(root, folder) || 'Troupe';
  say(`Installing the packages of ${name} with npm ci (${reason}).`);
  const npm = process.env.npm_execpath;
  const isNpm = npm !== undefined && /npm-cli\.c?js$/.test(npm);
  const [command, ...first] = isNpm ? [process.execPath, npm] : ['npm'];
  const begunAt = performance.now();
  const seconds = () => Math.round((performance.now() - begunAt) / 1000);
  const ticker = setInterval(() => say(`Installing: ${seconds()} s`), 5_000);
  const npmCi = run(
    command,
    [...first, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      killAfterMs: NPM_GRACE_MS,
    },
  );
  const ended = npmCi.ended.finally(() => clearInterval(ticker));
  return { ...npmCi, ended };
}

/** Ends with the child's exit code, as a shell would tell it. */
function run(command, args, { killAfterMs, ...options }) {
  const child = spawn(command, args, options);
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve(fail(`${command}: ${error.message}`)));
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
  const stop = (signal) => {
    child.kill(signal);
    if (killAfterMs) setTimeout(() => child.kill('SIGKILL'), killAfterMs).unref();
  };
  return { ended, stop };
}

function fail(message) {
  console.error(message);
  return 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = await main(process.argv.slice(2));
  process.exit();
}
