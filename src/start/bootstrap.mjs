/*
 * `node src/start/bootstrap.mjs [ROLE] [ARGUMENT ...]`: entry of `npm start`, `npm test` and the
 * npm scripts of an installation, and of the command `troupe` (troupe.mjs). Needs no packages:
 * installs packages and Node 24 when needed, runs the role under it and forwards signals. Runs in a
 * checkout, and in an installed package, which holds compiled code. Its syntax is that of Node 14,
 * so that an old Node can say so.
 *
 * Shutdown: the role exits when its IPC channel to this process closes. This process ends the role
 * when npm, its parent, is gone; `kill -9` of npm sends no signal, so the parent's id is polled.
 * Scripts in package.json use `exec node ...`: otherwise npm signals only the shell.
 */
import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import util from 'node:util';
import { fail, run } from './packages/child-program.mjs';
import { install, reasonToInstall } from './packages/install.mjs';
import { findNode, installNode, NEEDED_NODE } from './packages/node.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
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

/**
 * Command and accepted arguments of each role. Arguments are checked before anything is installed,
 * except those of `troupe`.
 */
const roles = {
  supervisor: {
    run: ['src/start/supervisor.ts'],
    usage: `Usage: npm start

Runs the whole service: control plane, media server, an avatar worker and an agent worker. Ctrl-C stops it.
Settings are environment variables; .env.example lists them.`,
  },
  troupe: { run: ['src/cli/main.ts'] },
  // The scripts of npm name the file.
  tool: { run: [], needsDev: true },
  // Commands for operators need no more packages than `npm start`.
  program: { run: [] },
  dev: {
    needsDev: true,
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
    needsDev: true,
    run: ['src/start/tests/test.ts'],
    options: testOptions,
    takesFiles: true,
    usage: `Usage: npm test [-- FILE ...]

Runs all tests, journeys with a real media server and browser included, or the named files.
${TEST_OPTIONS}`,
  },
  'test:unit': {
    needsDev: true,
    // Alone, one more than there are cores keeps them busy: tests wait for disks and decoders.
    run: [
      'node_modules/vitest/vitest.mjs',
      '--config=test/vitest.config.ts',
      '--project=unit',
      '--maxWorkers=3',
    ],
    options: { ...testOptions, watch: { type: 'boolean' } },
    takesFiles: true,
    usage: `Usage: npm run test:unit [-- FILE ...]

Runs the in-process tests, or the named files of them.
${TEST_OPTIONS}
  --watch                     stay and run tests again when their files change`,
  },
  'test:changed': {
    run: ['test/changed/main.ts'],
    options: { base: { type: 'string' } },
    usage: `Usage: npm run test:changed [-- --base COMMIT]

Runs the in-process tests that the changes since a commit can affect, uncommitted ones included, and names the journeys to run after them.
  --base COMMIT  default: where this branch left main; on main, only uncommitted changes count`,
  },
};

/**
 * Programs of `npm run NAME` that read their arguments, and report missing packages, themselves.
 */
const COMMANDS = [
  'backup',
  'build:pages',
  'consent',
  'control',
  'deletion-cost',
  'key',
  'keys',
  'migrate',
  'openapi',
  'restore',
];
for (const name of COMMANDS) {
  roles[name] = { run: [`src/start/commands/${name.replace(':', '-')}.ts`], isCommand: true };
}
roles.probe = { run: ['workers/probe/main.ts'], isCommand: true };

const PARENT_POLL_MS = 1_000;

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

  const [file, ...first] = [...role.run, ...args];
  const isOwnHelp = existsSync(path.join(folder, file)) && args.some(isHelp);
  const withDev = role.needsDev === true && !isOwnHelp;
  const reason = role.isCommand ? null : reasonToInstall(folder, { withDev });
  if (reason && isLink(path.join(folder, 'node_modules'))) {
    return fail(
      `The installed packages are not those of the lockfile (${reason}), and node_modules is a link, whose target npm ci would empty: run npm ci in its target, or remove the link, then run this command again.`,
    );
  }
  if (reason) {
    // A service may be running from the packages that are there.
    const adds = withDev && reasonToInstall(folder, { withDev: false }) === null;
    child = install(folder, reason, { what: adds && 'the development packages', withDev, adds });
    const code = await child.ended;
    if (stopped) return 130;
    if (code !== 0)
      return fail(
        'The packages could not be installed: see the output of npm above, then check the network and that this folder can be written.',
      );
  }

  let node = findNode(folder, running);
  if (!node) {
    child = installNode(folder, running);
    if (child) await child.ended;
    if (stopped) return 130;
    node = findNode(folder, running);
  }
  if (!node) {
    const lack = child
      ? `it could not be installed in ${folder}: see the output of npm above`
      : `npm has no Node package for ${running.platform} ${running.arch}`;
    return fail(
      `Troupe needs Node ${NEEDED_NODE}. This is Node ${running.versions.node}, and ${lack}: ` +
        `install Node ${NEEDED_NODE} or newer (https://nodejs.org) and run this command again.`,
    );
  }
  child = run(
    node,
    ['--disable-warning=ExperimentalWarning', programFile(folder, file), ...first],
    {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: {
        // `npm test` has a cache of its own, and tools measure starts.
        ...(name === 'tool' || name.startsWith('test') ? {} : compileCache(process.env)),
        ...process.env,
        PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
      },
    },
  );
  return child.ended;
}

const isHelp = (arg) => arg === '--help' || arg === '-h';

function isLink(file) {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats !== undefined && stats.isSymbolicLink();
}

/**
 * Where Node keeps compiled code for the next start, of which compiling is a third. Of no use to
 * anyone else, so it may be deleted.
 */
function compileCache(env) {
  const home = env.XDG_CACHE_HOME || (env.HOME && path.join(env.HOME, '.cache'));
  return home ? { NODE_COMPILE_CACHE: path.join(home, 'troupe/compiled') } : {};
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.exitCode = await main(process.argv.slice(2));
  process.exit();
}
