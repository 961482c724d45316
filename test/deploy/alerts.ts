/* promtool checks the alert rules and the expressions of the dashboards. */
import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { DASHBOARDS } from '../../src/start/dashboards/all.ts';
import { toGrafana } from '../../src/start/dashboards/dashboard.ts';
import { RULE_FILES } from '../support/metrics/rules.ts';

const run = promisify(execFile);

const CACHE = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
const FOLDER = path.join(CACHE, 'troupe/deploy/prometheus');

export async function checkAlerts(): Promise<void> {
  const promtool = await findPromtool();
  const check = async (...args: string[]) => {
    const { stdout } = await run(promtool, args);
    process.stdout.write(stdout.replace(/\n\n+/g, '\n'));
  };
  await check('check', 'config', 'deploy/prometheus/prometheus.yml');
  await check('check', 'rules', ...RULE_FILES);
  await checkPanels(check);
  await check('test', 'rules', ...globSync('deploy/prometheus/*.test.yml').sort());
}

/** The one on the PATH, or that of Debian's package, unpacked into the cache. */
async function findPromtool(): Promise<string> {
  const isInstalled = await run('promtool', ['--version']).then(
    () => true,
    () => false,
  );
  if (isInstalled) return 'promtool';
  const program = path.join(FOLDER, 'usr/bin/promtool');
  if (existsSync(program)) return program;
  await mkdir(FOLDER, { recursive: true });
  const loaded = await mkdtemp(path.join(tmpdir(), 'troupe-prometheus-'));
  try {
    await run('apt-get', ['download', 'prometheus'], { cwd: loaded });
    const [file = ''] = globSync('*.deb', { cwd: loaded });
    await run('dpkg', ['-x', path.join(loaded, file), FOLDER]);
  } finally {
    await rm(loaded, { recursive: true });
  }
  return program;
}

/** promtool parses expressions only as rules, and not Grafana's variables. */
async function checkPanels(check: (...args: string[]) => Promise<void>): Promise<void> {
  const rules = Object.values(DASHBOARDS).flatMap((dashboard, of) =>
    expressionsIn(toGrafana(dashboard)).map((expr, at) => ({
      record: `panel:${of}:${at}`,
      expr: expr.replace(/\$__(rate_interval|range)/g, '5m'),
    })),
  );
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

const expressionsIn = ({ panels }: ReturnType<typeof toGrafana>): string[] =>
  (panels as unknown as { datasource: { type: string }; targets: { expr?: string }[] }[])
    .filter(({ datasource }) => datasource.type === 'prometheus')
    .flatMap(({ targets }) => targets.flatMap(({ expr }) => expr ?? []));
