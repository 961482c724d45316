/*
 * The chart on a real API server: installation, scaling, upgrade, rollback and removal under
 * PodSecurity `restricted`.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { command } from '../command.ts';
import type { Transcript } from '../transcript.ts';
import { until } from '../../support/until.ts';
import { SERVERS } from './api-server.ts';
import { CHART } from './chart.ts';
import { ClusterStage, NAMESPACE, RELEASE } from './cluster-stage.ts';
import { goProgram } from './tools.ts';

const PATIENCE_MS = 60_000;
const AVATAR = `${RELEASE}-troupe-avatar-default`;
const COST = 'controller.kubernetes.io/pod-deletion-cost';
const DRAIN_SECONDS = 600;

const VALUES = {
  workers: { avatar: { drainSeconds: DRAIN_SECONDS, minReplicas: 3 } },
  backup: { enabled: true, keep: 1 },
  ingress: { enabled: true, hosts: ['avatars.example.com'] },
  serviceMonitor: { enabled: true },
  prometheusRule: { enabled: true },
  probe: { enabled: true },
};
/** Pods of each part before anything scales it. */
const PODS = { control: 1, 'avatar-worker': 1, 'agent-worker': 1, 'deletion-cost': 1 };

export async function checkCluster(transcript: Transcript): Promise<void> {
  const step = <Result>(name: string, work: () => Promise<Result>) => transcript.step(name, work);
  const helmProgram = await step('helm', () => goProgram('helm'));
  for (const name of SERVERS) await step(name, () => goProgram(name));
  const stage = await step('start API server, PostgreSQL and Redis', () => ClusterStage.open());
  transcript.atEnd('stop them', () => stage.close());
  const values = path.join(stage.folder, 'values.json');
  await writeFile(values, JSON.stringify(VALUES));
  const helm = (...args: string[]) =>
    command(
      helmProgram,
      [...args, `--namespace=${NAMESPACE}`, `--kubeconfig=${stage.api.kubeconfig}`],
      {
        env: { ...process.env, HELM_CACHE_HOME: stage.folder, HELM_DATA_HOME: stage.folder },
      },
    );
  const upgrade = ['upgrade', '--install', RELEASE, CHART, '--values', values, '--timeout', '5m'];

  await step('namespace with PodSecurity restricted, and definitions of KEDA and Prometheus', () =>
    stage.prepare(),
  );
  await step('helm install', () => helm(...upgrade));
  await step('the migration has run in the database', async () => {
    assert.ok((await stage.tables()).includes('sessions'));
  });
  await step('pods of every Deployment are admitted', async () => {
    for (const [component, count] of Object.entries(PODS))
      await until(async () => (await stage.podsOf(component)).length === count, PATIENCE_MS);
  });
  await step('a control plane starts with the variables of its pod', () => stage.startControl());
  await step('the operator key, as the notes say', () => stage.makeOperatorKey());
  await checkScaling(stage, step, (text) => transcript.note(text));
  await step('a backup replaces the one before', async () => {
    const [firstBackup] = await stage.backUp();
    const backups = await stage.backUp();
    assert.equal(backups.length, 1);
    assert.notEqual(backups[0], firstBackup);
  });
  await step('helm test', () => helm('test', RELEASE));
  const state = async () => [
    await stage.variable(AVATAR, 'WORKER_SLOTS'),
    await stage.replicas(AVATAR),
  ];
  await step('helm upgrade keeps the number of workers', async () => {
    await helm(...upgrade, '--set', 'workers.avatar.slots=12');
    assert.deepEqual(await state(), ['12', 1]);
  });
  await step('helm rollback', async () => {
    await helm('rollback', RELEASE, '1');
    assert.deepEqual(await state(), ['8', 1]);
  });
  await step('helm uninstall leaves the backups and the Secrets', async () => {
    await helm('uninstall', RELEASE);
    assert.deepEqual(await stage.names('persistentvolumeclaims'), [`${RELEASE}-troupe-backup`]);
    assert.deepEqual(await stage.names('secrets'), ['troupe', 'troupe-operator']);
    assert.deepEqual(await stage.names('services'), []);
  });
}

async function checkScaling(
  stage: ClusterStage,
  step: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>,
  note: (text: string) => void,
): Promise<void> {
  const workers = () => stage.podsOf('avatar-worker');
  await step('KEDA would read the wanted workers', async () => {
    const { url, valueLocation, value } = await stage.askAsKeda(AVATAR);
    note(`${url} ${valueLocation} = ${JSON.stringify(value)}`);
    assert.equal(value, 1);
  });
  const sessions = await step('three workers, sessions on two', async () => {
    await stage.scale(AVATAR, 3);
    await until(async () => (await workers()).length === 3, PATIENCE_MS);
    return stage.fillWorkers((await workers()).map(({ metadata }) => metadata.name));
  });
  await step('their pods get their costs, with the rights of the chart alone', async () => {
    await stage.startDeletionCost();
    await until(
      async () =>
        (await workers()).every(
          ({ metadata }) => metadata.annotations?.[COST] === `${sessions.get(metadata.name)}`,
        ),
      PATIENCE_MS,
    );
    note(JSON.stringify([...sessions]));
    assert.equal((await stage.asDeletionCost('secrets/troupe')).status, 403);
    assert.equal((await stage.asDeletionCost('pods')).status, 200);
  });
  await step('a scale-in removes the emptiest workers, which have time to drain', async () => {
    await stage.scale(AVATAR, 1);
    await until(async () => (await leaving(stage)).length > 1, PATIENCE_MS);
    const leavingPods = (await leaving(stage)).map(({ metadata }) => metadata);
    const emptiest = [...sessions].toSorted(([, a], [, b]) => a - b).slice(0, 2);
    assert.deepEqual(
      new Set(leavingPods.map(({ name }) => name)),
      new Set(emptiest.map(([pod]) => pod)),
    );
    for (const { deletionGracePeriodSeconds: seconds } of leavingPods)
      assert.equal(seconds, DRAIN_SECONDS + 30);
  });
}

const leaving = async (stage: ClusterStage) =>
  (await stage.podsOf('avatar-worker')).filter(({ metadata }) => metadata.deletionTimestamp);
