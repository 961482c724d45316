import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/processes/free-port.ts';
import { freeMediaPorts } from '../../src/start/media-server/media-server-ports.ts';
import { command } from './command.ts';
import { expectThat } from './expect-that.ts';
import { withTranscript, type Transcript } from './transcript.ts';

/*
 * The steps of a newcomer: packs the package, installs it into an empty folder, and runs it there
 * with `npx troupe`, without this repository's sources and packages.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));
const PHOTO = path.join(root, 'test/fixtures/photo/astronaut.jpg');
const READY_MS = 120_000;
const MOST_MB = 400;

export const testPackage = () => withTranscript('package', run);

async function run(transcript: Transcript): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'troupe-package-'));
  transcript.atEnd('remove the folder', () => rm(folder, { recursive: true, force: true }));
  const archive = await transcript.step('npm pack', () => pack(folder, transcript));
  const home = path.join(folder, 'empty');
  await mkdir(home);
  await cp(PHOTO, path.join(home, 'ada.jpg'));
  await writeFile(path.join(home, 'package.json'), '{"private": true}');
  await transcript.step('npm install', () =>
    command('npm', ['install', '--no-audit', '--no-fund', archive], { cwd: home }),
  );
  const used = await command('du', ['-s', '--block-size=1000000', 'node_modules'], { cwd: home });
  transcript.note(`${Number.parseInt(used, 10)} MB installed`);
  expectThat(Number.parseInt(used, 10) < MOST_MB, `more than ${MOST_MB} MB installed`);
  const port = await freePort();
  await writeFile(
    path.join(home, '.env'),
    `PORT=${port}\nLIVEKIT_PORT=${await freeMediaPorts(port + 1)}\nVOICE=flite\nHEARING=off\n`,
  );
  const { PATH, HOME } = process.env;
  const options = { cwd: home, env: { PATH, HOME } };
  const troupe = (...args: string[]) => command('npx', ['troupe', ...args], options);

  await transcript.step('troupe --help', async () => {
    expectThat((await troupe('--help')).startsWith('Usage: troupe '), 'no usage');
  });
  await transcript.step('troupe doctor', async () => {
    const { healthy } = JSON.parse(await troupe('doctor', '--json')) as { healthy: boolean };
    expectThat(healthy, 'the doctor found a problem');
  });
  await transcript.step('troupe start', () => start(options, transcript));
  const key = (await troupe('key', 'create', '--name', 'test')).trim();
  const withKey = (...args: string[]) => troupe(...args, '--key', key, '--json');
  await transcript.step('troupe session create, watch and end', async () => {
    const { id } = JSON.parse(await withKey('session', 'create')) as { id: string };
    const watching = withKey('session', 'watch', id);
    await withKey('session', 'end', id);
    expectThat((await watching).includes('"ended_by_client"'), 'the end was not seen');
  });
  // Runs in a process of its own with the strictest permissions.
  await transcript.step('troupe avatar create', async () => {
    const output = await withKey('avatar', 'create', 'ada.jpg', '--consent', 'A photo of NASA.');
    expectThat((JSON.parse(output) as { status: string }).status === 'ready', 'it is not ready');
  });
  await transcript.step('troupe backup', () => troupe('backup', path.join(folder, 'backup')));
}

async function pack(folder: string, transcript: Transcript): Promise<string> {
  const args = ['pack', '--json', '--pack-destination', folder];
  const printed = await command('npm', args, { cwd: root });
  // The scripts before it print too.
  const [packed] = JSON.parse(printed.slice(printed.indexOf('[\n'))) as [
    { filename: string; size: number; files: { path: string }[] },
  ];
  const sources = packed.files.filter(({ path: file }) => /(?<!\.d)\.tsx?$/.test(file));
  expectThat(sources.length === 0, `Node cannot run ${sources[0]?.path} below node_modules`);
  transcript.note(`${(packed.size / 1e6).toFixed(1)} MB, ${packed.files.length} files`);
  return path.join(folder, packed.filename);
}

type Options = { cwd: string; env: Record<string, string | undefined> };

async function start(options: Options, transcript: Transcript): Promise<void> {
  const service = spawn('npx', ['troupe', 'start'], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  transcript.atEnd('npx troupe start ends on SIGTERM', () => stop(service));
  let output = '';
  const ready = new Promise<void>((resolve, reject) => {
    service.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('Troupe is ready')) resolve();
    });
    service.once('exit', (code) => reject(new Error(`exit ${code}:\n${output}`)));
    setTimeout(() => reject(new Error(`not ready:\n${output}`)), READY_MS).unref();
  });
  await ready;
  transcript.note(/Troupe is ready \(.*?\)/.exec(output)?.[0] ?? '');
  const [settings = ''] = output.split('\n');
  expectThat(settings === 'Settings from .env: HEARING, LIVEKIT_PORT, PORT, VOICE.', settings);
}

async function stop(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return;
  // npx exits at once; what it started has the other end of this pipe.
  const exit = once(service, 'close');
  service.kill('SIGTERM');
  await exit;
}
