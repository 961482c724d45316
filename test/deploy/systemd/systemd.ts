/*
 * The units of deploy/systemd on a booted Debian: installed, checked, probed with real media,
 * drained, killed, backed up and stopped.
 */
import { globSync } from 'node:fs';
import path from 'node:path';
import { findMediaServer } from '../../../src/start/media-server/media-server.ts';
import { pdfSaying } from '../../support/api/pdf.ts';
import { until } from '../../support/until.ts';
import { command } from '../command.ts';
import { ADDRESS, Machine } from './machine.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

const TROUPE = '/opt/troupe';
const NODE = `${TROUPE}/src/start/packages/node/node_modules/.bin/node`;
const PHOTO = '/srv/photo.jpg';
const CONTROL = 'troupe-control.service';
const WORKER = 'troupe-worker@default.service';
const SERVICES = [CONTROL, WORKER, 'troupe-agent.service', 'troupe-media-server.service'];
/** A score of `systemd-analyze security`: 0 is safe, 10 is not. */
const MAX_EXPOSURE = 3;
const PATIENCE_MS = 120_000;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

export async function checkSystemd(): Promise<void> {
  const { file } = await findMediaServer({ env: process.env, say });
  // As the documentation has it; `install` asks for them.
  await timed('install Node', () => command('npm', ['ci', '--prefix', 'src/start/packages/node']));
  await timed('build the pages', () => command('npm', ['run', 'build:pages']));
  const machine = await timed('boot', () =>
    Machine.boot({
      binds: sources(),
      programs: { [file]: '/usr/local/bin/livekit-server' },
    }),
  );
  try {
    const install = () => machine.run(`${TROUPE}/deploy/systemd/install`, '--address', ADDRESS);
    await timed('install', install);
    await timed('verify', () => verify(machine));
    await timed('start', () => start(machine));
    await timed('probe', () => probe(machine));
    await timed('read a PDF', () => readPdf(machine));
    await timed('make an avatar of a photo', () => makeAvatar(machine));
    await timed('back up', () => backUp(machine));
    await timed('kill the control plane', () => killControl(machine));
    await timed('add a spare worker', () => addSpare(machine));
    await timed('drain a worker', () => drain(machine));
    await timed('install again', install);
    await timed('stop', () => stop(machine));
    await timed('read the journal', () => readJournal(machine));
  } catch (error) {
    say((await machine.try('journalctl', '--no-pager', '--lines=60', '--unit=troupe-*')).stdout);
    throw error;
  } finally {
    await machine.close();
  }
}

async function timed<Made>(what: string, work: () => Promise<Made>): Promise<Made> {
  const startedAt = performance.now();
  const result = await work();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  say(`  ${what}: ${seconds} s`);
  return result;
}

/** The files that production needs, and a photo. */
function sources(): Record<string, string> {
  const parts = ['deploy', 'node_modules', 'package.json', 'src', 'workers'];
  return {
    ...Object.fromEntries(parts.map((name) => [path.resolve(name), `${TROUPE}/${name}`])),
    [path.resolve('test/fixtures/photo/astronaut.jpg')]: PHOTO,
  };
}

/** `verify` exits with 0 on unknown settings, but reports them. */
async function verify(machine: Machine): Promise<void> {
  const units = globSync('deploy/systemd/units/*.*', { exclude: ['**/*.d'] })
    .map((file) => path.basename(file).replace('@.', '@default.'))
    .sort();
  const { stderr, code } = await machine.try('systemd-analyze', 'verify', ...units);
  if (code !== 0 || stderr) throw new Error(`systemd-analyze verify reports:\n${stderr}`);
  for (const unit of units.filter((name) => name.endsWith('.service'))) {
    const args = ['--offline=true', `--threshold=${MAX_EXPOSURE * 10}`, '--no-pager', unit];
    const { stdout, code } = await machine.try('systemd-analyze', 'security', ...args);
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
    say(`    ${unit}: exposure ${exposure}`);
    if (code !== 0 || exposure === undefined) throw new Error(stdout);
  }
}

async function start(machine: Machine): Promise<void> {
  await machine.run('systemctl', 'start', 'troupe.target');
  await until(async () => (await api(machine, 'GET', '/readyz')).status === 200, PATIENCE_MS);
  const { body } = await api(machine, 'GET', '/readyz');
  say(`    /readyz ${JSON.stringify(body)}`);
  for (const unit of SERVICES) {
    const pid = await machine.property(unit, 'MainPID');
    const user = (await machine.run('stat', '-c', '%U', `/proc/${pid}`)).trim();
    if (user === 'root') throw new Error(`${unit} runs as root`);
  }
  for (const file of ['control.env', 'worker.env', 'livekit.yaml', 'probe.key']) {
    const mode = (await machine.run('stat', '-c', '%a %U', `/etc/troupe/${file}`)).trim();
    if (mode !== '600 root') throw new Error(`${file} is ${mode}`);
  }
}

/** Fails if a step of the session fails. */
async function probe(machine: Machine): Promise<void> {
  await machine.run('systemctl', 'start', 'troupe-probe.service');
  const lines = await journal(machine, 'troupe-probe.service');
  const line = lines.split('\n').find((each) => each.startsWith('ok: '));
  if (!line) throw new Error(`the probe printed:\n${lines}`);
  say(`    ${line}`);
  const metrics = await machine.run('cat', '/var/lib/troupe-probe/troupe-probe.prom');
  if (!metrics.includes('troupe_probe_success 1\n')) throw new Error(metrics);
}

/** The control plane reads PDFs in a child process with limits of its own, within the sandbox. */
async function readPdf(machine: Machine): Promise<void> {
  const file = { name: 'Prices', format: 'pdf' };
  const { body } = await api(machine, 'POST', '/v1/knowledge-files', file);
  const { id } = body as { id: string };
  const script = `
    const bytes = Buffer.from(process.argv[2], 'base64');
    const headers = { 'x-api-key': key, 'content-type': 'application/pdf' };
    await fetch(url, { method: 'PUT', headers, body: bytes });`;
  const path = `/v1/knowledge-files/${id}`;
  const pdf = pdfSaying('Eggs are two dollars.').toString('base64');
  await inMachine(machine, script, `${path}/upload?chunk_number=0`, pdf);
  const submitted = await api(machine, 'POST', `${path}/submit`);
  const { content } = submitted.body as { content?: string };
  if (content !== 'Eggs are two dollars.') throw new Error(JSON.stringify(submitted));
}

/** The worker decodes photos and builds avatars in a child process, likewise. */
async function makeAvatar(machine: Machine): Promise<void> {
  const script = `
    const form = new FormData();
    form.append('name', 'Eileen');
    form.append('consent', 'The picture is in the public domain.');
    form.append('picture', new Blob([fs.readFileSync('${PHOTO}')]), 'photo.jpg');
    const reply = await fetch(url, { method: 'POST', headers: { 'x-api-key': key }, body: form });
    console.log(await reply.text());`;
  const created = JSON.parse(await inMachine(machine, script, '/v1/avatars')) as { id: string };
  let avatar: unknown;
  const status = async () => {
    avatar = (await api(machine, 'GET', `/v1/avatars/${created.id}`)).body;
    return (avatar as { status: string }).status;
  };
  await until(async () => ['ready', 'failed'].includes(await status()), PATIENCE_MS);
  if ((await status()) !== 'ready') throw new Error(JSON.stringify(avatar));
}

async function backUp(machine: Machine): Promise<void> {
  const old = '/var/lib/troupe-backup/2020-01-01T000000Z';
  await machine.run('install', '-d', '-o', 'troupe', old);
  await machine.run('touch', '-d', '2020-01-01', old);
  await machine.run('systemctl', 'start', 'troupe-backup.service');
  const backups = (await machine.run('ls', '/var/lib/troupe-backup')).trim().split('\n');
  if (backups.length !== 1) throw new Error(`backups: ${backups.join(', ')}`);
  await machine.run('test', '-s', `/var/lib/troupe-backup/${backups[0]}/manifest.json`);
}

async function killControl(machine: Machine): Promise<void> {
  const oldPid = await machine.property(CONTROL, 'MainPID');
  await machine.run('systemctl', 'kill', '--kill-who=all', '--signal=KILL', CONTROL);
  await until(async () => {
    const now = await machine.property(CONTROL, 'MainPID');
    return now !== oldPid && now !== '0' && (await isReady(machine));
  }, PATIENCE_MS);
}

/** A second worker of a pool, as the documentation has it. */
async function addSpare(machine: Machine): Promise<void> {
  const spare = 'troupe-worker@spare.service';
  const freeSlots = async () => {
    const { body } = await api(machine, 'GET', '/readyz');
    return (body as { free_slots: number }).free_slots;
  };
  const slotsBefore = await freeSlots();
  const write = 'echo WORKER_POOL=default > /etc/troupe/worker-spare.env';
  await machine.run('sh', '-c', write);
  await machine.run('systemctl', 'start', spare);
  await until(async () => (await freeSlots()) === 2 * slotsBefore, PATIENCE_MS);
  await machine.run('systemctl', 'stop', spare);
  await untilStopped(machine, spare);
}

/**
 * A session outlives the order to stop its worker, and the worker stops when the session has ended.
 */
async function drain(machine: Machine): Promise<void> {
  const opened = await api(machine, 'POST', '/v1/sessions', { avatar_id: FIRST_AVATAR.alias });
  const { id } = opened.body as { id: string };
  const status = async () => {
    const { body } = await api(machine, 'GET', `/v1/sessions/${id}`);
    return (body as { status: { type: string } }).status.type;
  };
  await until(async () => (await status()) === 'ongoing', PATIENCE_MS);

  await machine.run('systemctl', 'stop', '--no-block', WORKER);
  await until(async () => !(await isReady(machine)), PATIENCE_MS);
  const states = `${await machine.property(WORKER, 'ActiveState')}, ${await status()}`;
  if (states !== 'deactivating, ongoing') throw new Error(`while draining: ${states}`);
  await api(machine, 'POST', `/v1/sessions/${id}/end`);
  await untilStopped(machine, WORKER);
  await machine.run('systemctl', 'start', WORKER);
  await until(() => isReady(machine), PATIENCE_MS);
}

/** Rejects unless the unit stops by itself, within its time. */
async function untilStopped(machine: Machine, unit: string): Promise<void> {
  const state = () => machine.property(unit, 'ActiveState');
  await until(async () => ['inactive', 'failed'].includes(await state()), PATIENCE_MS);
  const result = await machine.property(unit, 'Result');
  if (result !== 'success') throw new Error(`${unit} stopped with the result ${result}`);
}

async function stop(machine: Machine): Promise<void> {
  await machine.run('systemctl', 'stop', 'troupe.target');
  for (const unit of SERVICES) {
    await untilStopped(machine, unit);
  }
  const failed = await machine.run('systemctl', 'list-units', '--failed', '--plain', '--no-legend');
  if (failed.includes('troupe')) throw new Error(failed);
}

/** Every unit logs to it, and none logs a secret. */
async function readJournal(machine: Machine): Promise<void> {
  for (const unit of SERVICES) {
    if (!(await journal(machine, unit)).trim()) throw new Error(`${unit} has logged nothing`);
  }
  const entries = await journal(machine, 'troupe-*');
  const settings = await machine.run('cat', '/etc/troupe/control.env');
  for (const name of ['WORKER_TOKEN', 'TROUPE_API_KEY', 'LIVEKIT_API_SECRET']) {
    const [, secret = ''] = new RegExp(`^${name}=(.+)$`, 'm').exec(settings) ?? [];
    if (!secret || entries.includes(secret)) throw new Error(`the journal holds ${name}`);
  }
}

const journal = (machine: Machine, unit: string): Promise<string> =>
  machine.run('journalctl', '--no-pager', '--output=cat', `--unit=${unit}`);

const isReady = async (machine: Machine): Promise<boolean> =>
  (await api(machine, 'GET', '/readyz')).status === 200;

/**
 * Runs JavaScript in the machine, where `url` is that of the first argument, and `key` the API key.
 */
const inMachine = (machine: Machine, script: string, ...args: string[]): Promise<string> => {
  const head = `
    const key = /^TROUPE_API_KEY=(.*)$/m.exec(fs.readFileSync('/etc/troupe/control.env', 'utf8'))[1];
    const url = 'http://127.0.0.1:8080' + process.argv[1];`;
  return machine.run(NODE, '-e', `(async () => {${head}${script}})()`, '--', ...args);
};

const CALL = `
  const [, , method, body] = process.argv;
  const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) };
  const reply = await fetch(url, { method, headers, ...(body && { body }) }).catch(() => null);
  const answer = { status: reply?.status ?? 0, body: (await reply?.json()) ?? null };
  console.log(JSON.stringify(answer));`;

/** Calls the API from within the machine. The status is 0 while nothing answers. */
async function api(
  machine: Machine,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: unknown }> {
  const bodyArgs = body ? [JSON.stringify(body)] : [];
  return JSON.parse(await inMachine(machine, CALL, path, method, ...bodyArgs));
}
