/*
 * The chart as text: what it renders is valid, restricted and consistent, and wrong values are
 * refused.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { HAND_OVER_MS } from '../../../workers/runtime/drain-state.ts';
import { RULE_FILES } from '../../support/metrics/rules.ts';
import { command } from '../command.ts';
import type { Transcript } from '../transcript.ts';
import { goProgram, pythonTools, schemaFolder } from './tools.ts';
import { VALUE_SETS } from './value-sets.ts';

export const CHART = 'deploy/helm/troupe';

/** Kinds of custom resources. The part `cluster` checks them by their definitions. */
const CUSTOM = ['ScaledObject', 'TriggerAuthentication', 'ServiceMonitor', 'PrometheusRule'];

const SKIPPED_CHECKS = {
  CKV_K8S_8:
    'no liveness probe: the control plane notices a worker that hangs and moves its sessions',
  CKV_K8S_9: 'no readiness probe: a scale-in removes unready pods first, also those with sessions',
  CKV_K8S_11: 'no CPU limit: a throttled worker misses frames',
  CKV_K8S_15: 'an image named by its digest need not be pulled again',
  CKV_K8S_35: 'settings are environment variables',
};

const WRONG_VALUES = [
  'control.setings.WARM_SLOTS=1',
  'control.settings.WARM_SLOT=1',
  'workers.avatar.slots=0',
  'ingress.enabled=true',
  'livekit.url=media.example.com',
];

export async function checkChart(transcript: Transcript): Promise<void> {
  const helm = await transcript.step('helm', () => goProgram('helm'));
  const kubeconform = await transcript.step('kubeconform', () => goProgram('kubeconform'));
  const python = await transcript.step('checkov and schemas', pythonTools);
  const folder = await mkdtemp(path.join(tmpdir(), 'troupe-chart-'));
  transcript.atEnd('remove the rendered chart', () => rm(folder, { recursive: true }));
  const schemas = path.join(folder, 'schemas');
  await transcript.step('schemas with relative references', () => copySchemas(schemas));

  for (const [name, values] of Object.entries(VALUE_SETS)) {
    const valuesFile = path.join(folder, `${name}-values.json`);
    const rendered = path.join(folder, `${name}.yaml`);
    await writeFile(valuesFile, JSON.stringify(values));
    await transcript.step(`helm lint (${name})`, () =>
      command(helm, ['lint', '--strict', '--values', valuesFile, CHART]),
    );
    await transcript.step(`helm template (${name})`, async () => {
      const args = ['template', 'faces', CHART, '--namespace', 'faces', '--values', valuesFile];
      const text = await command(helm, args);
      await writeFile(rendered, text);
      transcript.note(`${name}: ${checkObjects(text)} objects`);
      if (name === 'everything') checkRules(text);
    });
    await transcript.step(`kubeconform (${name})`, async () => {
      const location = `${schemas}/{{.ResourceKind}}{{.KindSuffix}}.json`;
      const args = ['-strict', '-summary', '-schema-location', location, '-skip', CUSTOM.join(',')];
      transcript.note((await command(kubeconform, [...args, rendered])).trim());
    });
  }
  await transcript.step('checkov (everything)', () =>
    command(path.join(python, 'bin/checkov'), [
      '--framework=kubernetes',
      '--compact',
      '--quiet',
      '--skip-download',
      `--skip-check=${Object.keys(SKIPPED_CHECKS).join(',')}`,
      `--file=${path.join(folder, 'everything.yaml')}`,
    ]),
  );
  for (const [id, reason] of Object.entries(SKIPPED_CHECKS)) transcript.note(`${id}: ${reason}`);
  await transcript.step('wrong values are refused', async () => {
    for (const value of WRONG_VALUES)
      await assert.rejects(
        command(helm, ['template', CHART, '--set', value]),
        /specifications/,
        value,
      );
  });
}

/** kubeconform resolves references against files only. */
async function copySchemas(to: string): Promise<void> {
  const from = await schemaFolder();
  await mkdir(to);
  for (const name of await readdir(from)) {
    const text = await readFile(path.join(from, name), 'utf8');
    const { $id: _, ...schema } = JSON.parse(
      text.replaceAll('/api/_definitions.json', '_definitions.json'),
    );
    await writeFile(path.join(to, name), JSON.stringify(schema));
  }
}

type Pod = {
  terminationGracePeriodSeconds?: number;
  containers: { name: string; env?: { name: string; value?: string }[] }[];
};
type Rendered = { kind: string; spec?: { template?: { spec: Pod }; groups?: unknown[] } };

/** Its rules are those of deploy/prometheus, with links to this release. */
function checkRules(text: string): void {
  const objects = parseAllDocuments(text).map((each) => each.toJS() as Rendered | null);
  const groups = objects.find((each) => each?.kind === 'PrometheusRule')?.spec?.groups;
  const url = 'https://avatars.example.com';
  const expected = RULE_FILES.flatMap((file) => {
    const rules = readFileSync(file, 'utf8').replaceAll('{{ $externalLabels.troupe_url }}', url);
    return (parse(rules) as { groups: unknown[] }).groups;
  });
  assert.deepEqual(groups, expected);
}

/** Returns the number of objects. Throws if a worker is killed before its sessions have moved. */
function checkObjects(text: string): number {
  const objects = parseAllDocuments(text).flatMap((each) => (each.toJS() ?? []) as Rendered | []);
  const deployments = objects.filter(({ kind }) => kind === 'Deployment');
  const workers = deployments.flatMap(({ spec }) => {
    const pod = spec?.template?.spec;
    const drain = pod?.containers[0]?.env?.find(({ name }) => name === 'DRAIN_SECONDS')?.value;
    return drain === undefined ? [] : [{ drain: Number(drain), pod }];
  });
  if (workers.length === 0) throw new Error('the chart has no worker');
  for (const { drain, pod } of workers) {
    const grace = pod?.terminationGracePeriodSeconds ?? 0;
    if (grace <= drain + HAND_OVER_MS / 1_000)
      throw new Error(`a worker that drains for ${drain} s is killed after ${grace} s`);
  }
  return objects.length;
}
