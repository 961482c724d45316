/*
 * `node src/start/bootstrap.mjs [ROLE] [ARGUMENT ...]`: entry of `npm start`, `npm test`, `npm run dev` and `npm run test:unit`, and of the
 * command `troupe` (troupe.mjs). Needs no packages: installs packages when needed, finds Node 24, runs the role under it and forwards signals.
 * Runs in a checkout, and in an installed package, which holds compiled code. Its syntax is that of Node 14, so that an old Node can say so.
 *
 * Shutdown: the role exits when its IPC channel to this process closes. This process ends the role when npm, its parent, is gone;
 * `kill -9` of npm sends no signal, so the parent's id is polled. Scripts in package.json use `exec node ...`: otherwise npm signals
 * only the shell.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import util from 'node:util';
import { childEnvironment } from '../shared/process/child-environment.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const NEEDED_NODE = 24;
/** The oldest Node under which this file can find a newer one. */
const OLDEST_NODE = 18;
const testOptions = {
  testNamePattern: { type: 'string', short: 't' },
  update: { type: 'boolean', short: 'u' },
  bail: { type: 'string' },
};
const TEST_OPTIONS = `  FILE                        run only test files whose path contains this
  -t, --testNamePattern NAME  run only tests whose name matches
  -u, --update                update snapshots and baselines
  --bail N                    stop after N failures`;

/** Command and accepted arguments of each role. Arguments are checked before anything is installed, except those of `troupe`. */
const roles = {
  supervisor: {
    run: ['src/start/supervisor.ts'],
    usage: `Usage: npm start

Runs the whole service: control plane, media server, an avatar worker and an agent worker. Ctrl-C stops it.
Settings are environment variables; .env.example lists them.`,
  },
  troupe: { run: ['src/cli/main.ts'] },
  dev: {
    run: [
      'node_modules/tsx/dist/cli.mjs',
      'watch',
      '--clear-screen=false',
      '--include=src/**/*.ts',
      '--include=workers/**/*.ts',
      'src/start/supervisor.ts',
    ],
    usage: `Usage: npm run dev

Runs the service as \`npm start\` does and restarts it when a source file changes. Ctrl-C stops it.`,
  },
  test: {
    run: ['src/start/tests/test.ts'],
    options: testOptions,
    takesFiles: true,
    usage: `Usage: npm test [-- FILE ...]

Runs all tests, journeys with a real media server and browser included, or the named files.
${TEST_OPTIONS}`,
  },
  'test:unit': {
    run: ['node_modules/vitest/vitest.mjs', '--config=test/vitest.config.ts', '--project=unit'],
    options: { ...testOptions, watch: { type: 'boolean' } },
    takesFiles: true,
    usage: `Usage: npm run test:unit [-- FILE ...]

Runs the in-process tests, or the named files of them.
${TEST_OPTIONS}
  --watch                     stay and run tests again when their files change`,
  },
};

const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];
/** npm does not stop for SIGTERM while it unpacks. */
const NPM_GRACE_MS = 4_000;
const PARENT_POLL_MS = 1_000;

/**
 * Why an install is needed, or null. Compares the lockfile with the one npm keeps in node_modules. Optional packages may be missing;
 * so may development packages (`npm ci --omit=dev`) unless `withDev`.
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

/** The packaged Node 24, else the running Node if it is new enough, else null. */
export function findNode(folder, running = process) {
  const platform = running.platform === 'win32' ? 'win' : running.platform;
  const binary = running.platform === 'win32' ? 'node.exe' : 'node';
  // npm puts the packages of an installed package beside it.
  for (const packages of [path.join(folder, 'node_modules'), path.dirname(folder)]) {
    const packaged = path.join(packages, `node-${platform}-${running.arch}/bin/${binary}`);
    if (existsSync(packaged)) return packaged;
  }
  return Number.parseInt(running.versions.node, 10) >= NEEDED_NODE ? running.execPath : null;
}

/** A file of the sources, or what an installed package has in its place. */
function programFile(folder, file) {
  const source = path.join(folder, file);
  if (existsSync(source)) return source;
  return path.join(folder, 'dist/package', file.replace(/\.ts$/, '.js'));
}

/** `null` when the arguments are fine, else the exit code after printing usage. */
function checkArguments({ options = {}, takesFiles = false, usage }, args) {
  try {
    const { values } = util.parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: takesFiles,
    });
    if (!values.help) return null;
    console.log(usage);
    return 0;
  } catch (error) {
    console.error(`${error.message.split('. ')[0]}.\n\n${usage}`);
    return 2;
  }
}

async function main(given) {
  const hasRole = given.length > 0 && !given[0].startsWith('-');
  const [name, ...args] = hasRole ? given : ['supervisor', ...given];
  if (!Object.keys(roles).includes(name))
    return fail(`There is no role "${name}": ${Object.keys(roles).join(', ')}.`);
  return runRole(name, args);
}

/** Resolves with the exit code. */
export async function runRole(name, args, { folder = root, running = process } = {}) {
  const role = roles[name];
  if (Number.parseInt(running.versions.node, 10) < OLDEST_NODE) {
    return fail(
      `Troupe needs Node 22.13 or newer, and this is Node ${running.versions.node}: install Node ${NEEDED_NODE} (https://nodejs.org) and run this command again.`,
    );
  }
  const answered = role.usage ? checkArguments(role, args) : null;
  if (answered !== null) return answered;

  let child = null;
  let stopped = null;
  const stop = (signal) => {
    if (!stopped) stopped = signal;
    if (child) child.stop(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal));
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop('SIGTERM'), PARENT_POLL_MS).unref();

  const withDev = name === 'dev' || name.startsWith('test');
  const reason = reasonToInstall(folder, { withDev });
  if (reason) {
    child = install(folder, reason, { withDev });
    const code = await child.ended;
    if (stopped) return 130;
    if (code !== 0)
      return fail(
        'The packages could not be installed: see the output of npm above, then check the network and that this folder can be written.',
      );
  }

  const node = findNode(folder, running);
  if (!node) {
    return fail(
      `Troupe needs Node ${NEEDED_NODE}. This is Node ${running.versions.node}, and npm has no Node package for ${running.platform} ${running.arch}: ` +
        `install Node ${NEEDED_NODE} or newer (https://nodejs.org) and run this command again.`,
    );
  }
  const [file, ...first] = role.run;
  child = run(
    node,
    ['--disable-warning=ExperimentalWarning', programFile(folder, file), ...first, ...args],
    {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: {
        // `npm test` has a cache of its own.
        ...(name.startsWith('test') ? {} : compileCache(process.env)),
        ...process.env,
        PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
      },
    },
  );
  return child.ended;
}

/** Where Node keeps compiled code for the next start, of which compiling is a third. Of no use to anyone else, so it may be deleted. */
function compileCache(env) {
  const home = env.XDG_CACHE_HOME || (env.HOME && path.join(env.HOME, '.cache'));
  return home ? { NODE_COMPILE_CACHE: path.join(home, 'troupe/compiled') } : {};
}

/** Runs `npm ci` and prints a line every five seconds. */
export function install(folder, reason, { withDev = true, say = console.log } = {}) {
  const name = path.relative(root, folder) || 'Troupe';
  say(`Installing the packages of ${name} with npm ci (${reason}).`);
  const npm = process.env.npm_execpath;
  const isNpm = npm !== undefined && /npm-cli\.c?js$/.test(npm);
  const [command, ...first] = isNpm ? [process.execPath, npm] : ['npm'];
  const begunAt = performance.now();
  const seconds = () => Math.round((performance.now() - begunAt) / 1000);
  const ticker = setInterval(() => say(`Installing: ${seconds()} s`), 5_000);
  const npmCi = run(command, [...first, 'ci', withDev ? '--include=dev' : '--omit=dev', ...QUIET], {
    cwd: folder,
    // Packages may run scripts.
    env: childEnvironment(process.env, ['npm_*']),
    stdio: ['ignore', 'ignore', 'inherit'],
    killAfterMs: NPM_GRACE_MS,
  });
  const ended = npmCi.ended.finally(() => clearInterval(ticker));
  return { ...npmCi, ended };
}

/** `ended` resolves with the child's exit code, or 128 plus the signal's number as in a shell. */
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
