/* deploy/compose on three machines, as the page about them says. */
import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse, type ScalarTag, type CollectionTag } from 'yaml';
import { readBlocks } from '../../../src/web/docs/compose/blocks.ts';

const PAGE = 'src/web/docs/pages/operate/three-machines.md';
const CONTROL = 'avatar.example.com';
const MEDIA = 'media.example.com';
const WORKERS = 'workers.example.com';

/** A command to another machine runs in that machine's home. */
const SSH = '#!/bin/sh\ncd "$MACHINES/$1" && exec sh -c "$2"\n';
const DOCKER = '#!/bin/sh\necho "$PWD: docker $*" >> "$MACHINES/docker.log"\n';

let machines: string;
beforeEach(async () => {
  machines = await mkdtemp(path.join(tmpdir(), 'troupe-machines-'));
  for (const name of [CONTROL, MEDIA, WORKERS]) {
    const folder = path.join(machines, name, 'troupe/deploy/compose');
    await cp('deploy/compose', folder, { recursive: true });
    await rm(path.join(folder, '.env'), { force: true });
  }
  await mkdir(path.join(machines, 'bin'));
  for (const [name, text] of Object.entries({ ssh: SSH, docker: DOCKER, git: DOCKER })) {
    await writeFile(path.join(machines, 'bin', name), text);
    await chmod(path.join(machines, 'bin', name), 0o755);
  }
});
afterEach(() => rm(machines, { recursive: true }));

/** Runs the page's commands in the order of the page: `On each machine` runs on all three. */
async function follow(): Promise<void> {
  const blocks = readBlocks(await readFile(PAGE, 'utf8'));
  const samples = blocks.flatMap((block) => (block.type === 'sample' ? [block] : []));
  expect(samples.length).toBeGreaterThan(4);
  for (const { title, text } of samples) {
    const named = [CONTROL, MEDIA].filter((name) => title === `On ${name}`);
    if (title === 'On a machine with workers') named.push(WORKERS);
    const on = title === 'On each machine' ? [MEDIA, CONTROL, WORKERS] : named;
    expect(on, title ?? text).not.toEqual([]);
    for (const name of on) run(name, text);
  }
}

function run(machine: string, text: string): void {
  // Nobody answers at the names of the page: `./setup` says so and exits with 1, and curl is not
  // sent.
  const script = `curl() { echo "curl $*"; }\n${text.replaceAll(/^(\.\/setup .*)$/gm, '$1 || true')}`;
  const { status, stderr } = spawnSync('bash', ['-eu', '-o', 'pipefail', '-c', script], {
    env: {
      PATH: `${machines}/bin:${process.env['PATH']}`,
      HOME: path.join(machines, machine),
      MACHINES: machines,
    },
    encoding: 'utf8',
  });
  expect({ text, status, stderr }).toMatchObject({ status: 0 });
}

async function settingsOf(machine: string): Promise<Record<string, string>> {
  const file = path.join(machines, machine, 'troupe/deploy/compose/.env');
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => /^\w+=/.test(line));
  return Object.fromEntries(lines.map((line) => /^(\w+)=(.*)$/.exec(line)!.slice(1)));
}

/** Compose's marks for what replaces the value of the file before. */
const marks = ['!override', '!reset'].flatMap((tag): (ScalarTag | CollectionTag)[] => [
  { tag, collection: 'map' },
  { tag, collection: 'seq' },
]);

type Service = { profiles?: string[]; environment?: Record<string, string> } & Record<
  string,
  unknown
>;

async function servicesOf(name: string): Promise<Record<string, Service>> {
  const text = await readFile(path.join('deploy/compose', name), 'utf8');
  const { services } = parse(text, { merge: true, customTags: marks }) as {
    services: Record<string, Service>;
  };
  return services;
}

/** Global options, the way to rooms, and TURN's name. */
const partsOf = (caddyfile: string) => [
  /^\{$.*?^\}$/ms.exec(caddyfile)?.[0],
  /^\t@rooms .*?^\t\}$/ms.exec(caddyfile)?.[0],
  /^\{\$TURN_DOMAIN\}.*?^\}$/ms.exec(caddyfile)?.[0],
];

describe('three machines', () => {
  test('share the secrets that they need, and no others, by the commands of the page', async () => {
    await follow();

    const [control, media, workers] = await Promise.all([CONTROL, MEDIA, WORKERS].map(settingsOf));
    expect(control).toMatchObject({
      COMPOSE_FILE: 'compose.yaml:control.yaml',
      MEDIA_DOMAIN: MEDIA,
      DOMAIN: CONTROL,
    });
    expect(media).toMatchObject({
      COMPOSE_FILE: 'compose.yaml:media.yaml',
      DOMAIN: MEDIA,
      TURN_DOMAIN: `turn.${MEDIA}`,
      LIVEKIT_API_KEY: control!['LIVEKIT_API_KEY'],
      LIVEKIT_API_SECRET: control!['LIVEKIT_API_SECRET'],
    });
    expect(media!['TROUPE_SECRET_KEY']).not.toBe(control!['TROUPE_SECRET_KEY']);
    expect(workers).toEqual({
      COMPOSE_FILE: 'workers.yaml',
      CONTROL_URL: `https://${CONTROL}`,
      WORKER_TOKEN: control!['WORKER_TOKEN'],
    });
    const ran = await readFile(path.join(machines, 'docker.log'), 'utf8');
    const up = ran.split('\n').filter((line) => line.endsWith('up --build --detach --wait'));
    expect(up.map((line) => line.slice(machines.length + 1).split('/')[0])).toEqual([
      MEDIA,
      CONTROL,
      WORKERS,
    ]);
  });

  test('run each service of one machine once', async () => {
    const serviceNames = Object.keys(await servicesOf('compose.yaml'));
    const [control, media] = await Promise.all(['control.yaml', 'media.yaml'].map(servicesOf));
    const workers = Object.keys(await servicesOf('workers.yaml'));
    const runs = (added: Record<string, Service>) =>
      serviceNames.filter((name) => !added[name]?.profiles?.includes('other-machine'));

    const observed = ['prometheus', 'grafana'];
    const entrance = ['edge', 'caddy'];
    expect(runs(media!).filter((name) => !observed.includes(name))).toEqual([
      ...entrance,
      'media-server',
    ]);
    expect([...runs(control!), 'media-server', ...workers].toSorted()).toEqual(
      serviceNames.toSorted(),
    );
  });

  test('have workers as on one machine, but for the way to the control planes', async () => {
    const services = await servicesOf('compose.yaml');

    for (const [name, service] of Object.entries(await servicesOf('workers.yaml'))) {
      const { depends_on: _d, extra_hosts: _e, volumes: _v, ...expected } = services[name]!;
      const { SSL_CERT_FILE: _s, NODE_EXTRA_CA_CERTS: _n, ...environment } = expected.environment!;
      const { WORKER_POOL, ...variables } = service.environment!;
      expect(WORKER_POOL).toBe('${WORKER_POOL:-}');
      expect({ ...service, environment: Object.keys(variables) }).toEqual({
        ...expected,
        environment: Object.keys(environment),
      });
    }
  });

  test('pass rooms on as one machine does', async () => {
    const [services, media] = await Promise.all(
      ['Caddyfile', 'media.Caddyfile'].map((name) => readFile(`deploy/compose/${name}`, 'utf8')),
    );
    expect(partsOf(services!)).not.toContain(undefined);
    expect(partsOf(media!)).toEqual(partsOf(services!));
  });
});
