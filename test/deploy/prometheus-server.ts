/* A real Prometheus that scrapes a real control plane with the rules of deploy/prometheus. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RULE_FILES } from '../support/metrics/rules.ts';
import { freePort } from '../support/processes/free-port.ts';
import { startControlProcess } from '../support/processes/control-process.ts';
import { until } from '../support/until.ts';

const PATIENCE_MS = 60_000;

type Answer<Data> = { data: Data };
type Targets = { activeTargets: { labels: { job: string }; health: string; lastError: string }[] };
type Rules = { groups: { rules: { name: string; health: string; lastError?: string }[] }[] };

/** Throws if the control plane is not scraped, or a rule or expression fails on what it reports. */
export async function checkScrapes(prometheus: string, expressions: string[]): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'troupe-prometheus-'));
  const control = await startControlProcess({
    DATA_DIR: path.join(folder, 'data'),
    WORKER_TOKEN: 'a token that workers know',
    TROUPE_API_KEY: 'key-of-the-first-account',
  });
  const url = `http://127.0.0.1:${await freePort()}`;
  const server = spawn(
    prometheus,
    [
      `--config.file=${await configFor(folder, new URL(control.url).host)}`,
      `--storage.tsdb.path=${path.join(folder, 'series')}`,
      `--web.listen-address=${new URL(url).host}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const exit = once(server, 'exit');
  const ask = async <Data>(request: string): Promise<Data | null> => {
    const reply = await fetch(`${url}/api/v1/${request}`).catch(() => null);
    // It answers 503 until it has read its files, and 400 to a wrong expression.
    return reply?.ok ? ((await reply.json()) as Answer<Data>).data : null;
  };
  try {
    await until(async () => {
      const targets = await ask<Targets>('targets');
      return targets?.activeTargets.some(({ health }) => health === 'up');
    }, PATIENCE_MS);
    const rulesOf = async () =>
      (await ask<Rules>('rules'))?.groups.flatMap((group) => group.rules) ?? [];
    await until(async () => {
      const rules = await rulesOf();
      return rules.length > 0 && rules.every(({ health }) => health !== 'unknown');
    }, PATIENCE_MS);
    const rules = await rulesOf();
    const failing = rules.filter(({ health }) => health !== 'ok');
    if (failing.length > 0) throw new Error(`rules fail: ${JSON.stringify(failing)}`);
    for (const expression of expressions) {
      const answer = await ask(`query?query=${encodeURIComponent(expression)}`);
      if (!answer) throw new Error(`Prometheus cannot evaluate: ${expression}`);
    }
    process.stdout.write(
      `Prometheus scraped a control plane, evaluated ${rules.length} rules and ${expressions.length} panels\n`,
    );
  } finally {
    server.kill('SIGTERM');
    await exit;
    await control.stop();
    await rm(folder, { recursive: true });
  }
}

/** The published configuration, for this target and with short intervals. */
async function configFor(folder: string, target: string): Promise<string> {
  for (const file of RULE_FILES) await copyFile(file, path.join(folder, path.basename(file)));
  const published = await readFile('deploy/prometheus/prometheus.yml', 'utf8');
  const config = published
    .replace('scrape_interval: 15s', 'scrape_interval: 1s\n  evaluation_interval: 1s')
    .replace('127.0.0.1:8080', target);
  const file = path.join(folder, 'prometheus.yml');
  await writeFile(file, config);
  return file;
}
