/* promtool and Prometheus check the alert rules and the expressions of the dashboards. */
import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { DASHBOARDS } from '../../src/start/dashboards/all.ts';
import { toGrafana } from '../../src/start/dashboards/dashboard.ts';
import { RULE_FILES } from '../support/metrics/rules.ts';
import { checkScrapes } from './prometheus-server.ts';

const run = promisify(execFile);

const CACHE = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
const FOLDER = path.join(CACHE, 'troupe/deploy/prometheus');

export async function checkAlerts(): Promise<void> {
  const programs = await findPrograms();
  const promtool = path.join(programs, 'promtool');
  const check = async (...args: string[]) => {
    const { stdout } = await run(promtool, args);
    process.stdout.write(stdout.replace(/\n\n+/g, '\n'));
  };
  await check('check', 'config', 'deploy/prometheus/prometheus.yml');
  await check('check', 'rules', ...RULE_FILES);
  await checkPanels(check);
  await check('test', 'rules', ...globSync('deploy/prometheus/*.test.yml').sort());
  await checkScrapes(path.join(programs, 'prometheus'), panelExpressions());
}

/**
 * The folder of promtool and prometheus from Debian's package, which is unpacked into the cache.
 */
async function findPrograms(): Promise<string> {
  const folder = path.join(FOLDER, 'usr/bin');
  if (existsSync(path.join(folder, 'promtool'))) return folder;
  await mkdir(FOLDER, { recursive: true });
  const loaded = await mkdtemp(path.join(tmpdir(), 'troupe-prometheus-'));
  try {
    const download = () => run('apt-get', ['download', 'prometheus'], { cwd: loaded });
    // A bare machine has no package lists.
    await download().catch(() => run('apt-get', ['update', '-qq']).then(download));
    const [file = ''] = globSync('*.deb', { cwd: loaded });
    await run('dpkg', ['-x', path.join(loaded, file), FOLDER]);
  } finally {
    await rm(loaded, { recursive: true });
  }
  return folder;
}

/** promtool parses expressions only as rules. */
async function checkPanels(check: (...args: string[]) => Promise<void>): Promise<void> {
  const rules = panelExpressions().map((expr, at) => ({ record: `panel:${at}`, expr }));
  const folder = await mkdtemp(path.join(tmpdir(), 'troupe-panels-'));
  try {
    const file = path.join(folder, 'panels.json');
    // JSON is YAML.
    await writeFile(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    await check('check', 'rules', file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** With values for Grafana's variables. */
const panelExpressions = (): string[] =>
  Object.values(DASHBOARDS)
    .flatMap((dashboard) => expressionsIn(toGrafana(dashboard)))
    .map((expr) => expr.replace(/\$__(rate_interval|range)/g, '5m'));

const expressionsIn = ({ panels }: ReturnType<typeof toGrafana>): string[] =>
  (panels as unknown as { datasource: { type: string }; targets: { expr?: string }[] }[])
    .filter(({ datasource }) => datasource.type === 'prometheus')
    .flatMap(({ targets }) => targets.flatMap(({ expr }) => expr ?? []));
