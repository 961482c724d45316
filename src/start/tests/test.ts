import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '#shared/clock.ts';
import { install, reasonToInstall } from '../packages/install.mjs';
import { Guard } from '../processes/guard.ts';
import { findMediaServer } from '../media-server/media-server.ts';
import { scanLogs } from './log-scan.ts';
import { RunCosts } from './run-costs.ts';
import { buildDocs } from '../build/docs.ts';
import { buildPages } from '../build/pages.ts';
import { comeFirst, leaveBehind } from '../processes/priority.ts';
import { findPostgres } from '../postgres.ts';
import { endGroup, ownGroup } from '../processes/process-group.ts';
import { summaryOf } from './summary.ts';

/*
 * Process entry of `npm test`, under Node 24: gets what the tests need, runs the vitest projects of
 * test/vitest.config.ts, and prints a summary. Journeys keep pace with real media, so until they
 * have ended, other tests run behind them, on the processor time that they leave. Published clients
 * of other vendors follow, two conversations at a time. Missing parts are named in one line and
 * their tests skipped; under CI=true that is a failure. Arguments go to vitest.
 */
const root = fileURLToPath(new URL('../../..', import.meta.url));

const reports = path.join(root, 'dist/test-report');
/**
 * Tests keep their logs here. They are removed when no test failed and no log contains a secret.
 */
const logs = path.join(root, 'dist/test-logs');
/** Each process of a service spends a third of its start on compiling. */
const compileCache = path.join(root, 'node_modules/.cache/compile');

/**
 * Published clients. Each has its own package.json, because its dependencies conflict with ours.
 */
const clients = { node: 'the published Node plugin', sdk: 'the published SDK' };

async function prepareAndTest(args: string[]): Promise<number> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => stop.abort(signal));
  }
  if (process.channel) process.once('disconnect', () => stop.abort('disconnect'));

  const isCi = process.env['CI'] === 'true';
  const missing: string[] = [];
  const need = async (part: string, get: () => Promise<void> | void) => {
    try {
      await get();
    } catch (error) {
      if (stop.signal.aborted) return;
      missing.push(part);
      const reason = (error instanceof Error ? error.message : String(error)).replaceAll('\n', ' ');
      say(`${isCi ? 'Missing' : 'Skipped'}: ${part}. ${reason}`);
    }
  };
  const unitProjects = ['unit', 'fuzz', 'gates', 'processes'];
  await need('tests on PostgreSQL', () => {
    findPostgres();
    unitProjects.push('postgresql');
  });
  let mediaServer: string | undefined;
  await Promise.all([
    need('journeys, which need a media server', async () => {
      mediaServer = (await findMediaServer({ env: process.env, guard, say, signal: stop.signal }))
        .file;
    }),
    need('journeys with pages', async () => {
      const order = { env: process.env, guard, say, signal: stop.signal };
      await buildPages(order);
      await buildDocs(order);
    }),
    ...Object.entries(clients).map(([name, part]) =>
      need(part, () => installClient(path.join(root, 'test/clients', name), stop.signal)),
    ),
  ]);
  if (stop.signal.aborted) return 130;
  if (isCi && missing.length > 0) return 1;

  await rm(reports, { recursive: true, force: true });
  await rm(logs, { recursive: true, force: true });
  await mkdir(logs, { recursive: true });
  const { signal } = stop;
  const journeys = async (project: string, turn?: Turn) => {
    if (!mediaServer || signal.aborted) return 0;
    return vitest([project], args, { env: { TROUPE_MEDIA_SERVER: mediaServer }, turn, signal });
  };
  const inFront = journeys('journeys', 'first');
  const codes = await Promise.all([
    vitest(unitProjects, args, { env: {}, turn: { behind: inFront }, signal }),
    inFront,
  ]);
  // Their agents, two at a time, would take the processor from the worker.
  codes.push(await journeys('vendor-journeys'));
  if (!stop.signal.aborted) {
    for (const line of [...summaryOf(reports, root), ...costs.lines()]) say(line);
    codes.push(await findSecrets());
  }
  const failure = codes.find((code) => code !== 0);
  if (failure === undefined) await rm(logs, { recursive: true, force: true });
  return failure ?? 0;
}

/** Prints where a log contains a secret that a test used. Returns the exit code. */
async function findSecrets(): Promise<number> {
  const leaked = await scanLogs(logs);
  for (const { file, line, secret } of leaked) {
    say(`Secret in a log: ${path.join(logs, file)}:${line} (${secret.slice(0, 4)}...)`);
  }
  return leaked.length > 0 ? 1 : 0;
}

async function installClient(folder: string, signal: AbortSignal): Promise<void> {
  if (!existsSync(path.join(folder, 'package.json'))) return;
  const reason = reasonToInstall(folder);
  if (!reason) return;
  const npm = install(folder, reason);
  const onAbort = () => npm.stop('SIGTERM');
  signal.addEventListener('abort', onAbort, { once: true });
  const code = await npm.ended;
  signal.removeEventListener('abort', onAbort);
  if (code !== 0) throw new Error(`npm ci in ${path.relative(root, folder)} failed (exit ${code})`);
}

/** Priority: before all other programs, or behind them until the promise settles. */
type Turn = 'first' | { behind: Promise<unknown> };
type Run = { env: Record<string, string>; turn: Turn | undefined; signal: AbortSignal };

/** The first project names the report. */
async function vitest(
  projects: string[],
  args: string[],
  { env, turn, signal }: Run,
): Promise<number> {
  const end = costs.begin(projects.join(', '));
  const child = spawn(
    process.execPath,
    [
      path.join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config=test/vitest.config.ts',
      ...projects.map((project) => `--project=${project}`),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${path.join(reports, `${projects[0]}.json`)}`,
      '--passWithNoTests',
      ...args,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: compileCache,
        TROUPE_TEST_LOGS: logs,
        ...env,
      },
      detached: ownGroup,
    },
  );
  child.once('exit', end);
  guard.watch(child.pid);
  if (turn) takeTurn(child, turn);
  // Interrupted tests close what they opened; hanging ones are killed.
  const onAbort = () => {
    endGroup(child.pid, 'SIGINT');
    setTimeout(() => endGroup(child.pid, 'SIGKILL'), 3_000).unref();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const [code] = (await once(child, 'exit')) as [number | null];
  signal.removeEventListener('abort', onAbort);
  endGroup(child.pid, 'SIGKILL');
  guard.forget(child.pid);
  return code ?? 1;
}

function takeTurn(child: ChildProcess, turn: Turn): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (turn === 'first') {
    comeFirst(pid);
    return;
  }
  const comeForward = leaveBehind(pid);
  const onSettled = () => {
    // After an exit, the system may give the same id to another program.
    if (child.exitCode === null && child.signalCode === null) comeForward();
  };
  turn.behind.then(onSettled, onSettled);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const costs = new RunCosts(systemClock);
const guard = new Guard(systemClock);
process.exitCode = await prepareAndTest(process.argv.slice(2)).finally(() => guard.close());
if (process.connected) process.disconnect();
