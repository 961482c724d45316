import { newSecret } from '#shared/ids.ts';
import { until } from '../support/until.ts';
import { command } from './command.ts';
import { buildImages, imageOf, startEngine } from './docker/build.ts';
import { root, type Engine } from './docker/engine.ts';
import { openNetwork, SERVER } from './docker/network.ts';
import { withTranscript, type Transcript } from './transcript.ts';
import { expectThat } from './expect-that.ts';
import { callApi, seeFace } from './face.ts';

/*
 * The images of deploy/Dockerfile: built, checked, and run as they must be in production: not as
 * root, with a read-only file system and without any capability.
 */
const MB = 1e6;
const LIMITS_MB: Record<string, number> = {
  control: 300,
  'avatar-worker': 400,
  'agent-worker': 700,
  'media-server': 300,
  'all-in-one': 820,
};
const WITH_SPEECH = ['agent-worker', 'all-in-one'];
const SILENT = 'silent-agent-worker';
const ADDRESS = `http://${SERVER.address}:8080`;
const HEALTHY_MS = 180_000;
const RESTRICTED = [
  '--read-only',
  '--tmpfs=/tmp',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  '--network=host',
  '--detach',
];

export const testImages = () => withTranscript('images', run);

async function run(transcript: Transcript): Promise<void> {
  await buildImages(transcript, Object.keys(LIMITS_MB), { silent: ['agent-worker'] });
  await openNetwork(transcript, []);
  const engine = await startEngine(transcript, SERVER.namespace);
  for (const [target, limit] of Object.entries(LIMITS_MB))
    await transcript.step(`check ${target}`, () => check(engine, target, limit, transcript));
  await transcript.step('check the agent worker without speech', async () => {
    await check(engine, SILENT, 400, transcript);
    await inImage(engine, imageOf(SILENT), 'bash', '-c', '! type python3');
  });
  for (const target of WITH_SPEECH)
    await transcript.step(`${target} speaks without a network`, () => speaks(engine, target));
  await transcript.step('an image holds no file that the repository ignores', () =>
    hasNothingIgnored(engine),
  );
  await runSeparately(engine, transcript);
  await runAllInOne(engine, transcript);
}

type Inspected = {
  Size: number;
  Config: {
    User: string;
    StopSignal: string;
    Healthcheck?: { Test: string[] };
    Labels: Record<string, string>;
    Env: string[];
  };
};

async function check(
  engine: Engine,
  target: string,
  limitMb: number,
  transcript: Transcript,
): Promise<void> {
  const tag = imageOf(target);
  const [{ Size, Config }] = JSON.parse(await engine.docker('image', 'inspect', tag)) as [
    Inspected,
  ];
  transcript.note(`${target}: ${Math.round(Size / MB)} MB of at most ${limitMb}`);
  expectThat(Size < limitMb * MB, `${target} is larger than ${limitMb} MB`);
  expectThat(Config.User === '10001:10001', `${target} runs as ${Config.User}`);
  expectThat(Config.StopSignal === 'SIGTERM', `${target} stops by ${Config.StopSignal}`);
  expectThat(Config.Healthcheck, `${target} has no health check`);
  expectThat(Config.Labels['org.opencontainers.image.title'], `${target} has no title`);
  const layers = await engine.docker('history', '--no-trunc', '--format', '{{.CreatedBy}}', tag);
  const settings = `${Config.Env.join('\n')}\n${layers}`;
  expectThat(!/(TOKEN|SECRET|PASSWORD|KEY)=/.test(settings), `${target} names a secret`);
  if (target === 'media-server') return;
  const bill = JSON.parse(await inImage(engine, tag, 'cat', '/app/sbom.cdx.json')) as {
    components: { name: string; version: string }[];
  };
  const listed = bill.components.map(({ name, version }) => `${name}@${version}`);
  const present = (await inImage(engine, tag, 'bash', '-c', LIST_PACKAGES)).trim().split('\n');
  const missing = present.filter((name) => !listed.includes(name));
  expectThat(missing.length === 0, `the SBOM of ${target} lacks ${missing.join(', ')}`);
  expectThat(!present.some((name) => /^(vitest|oxlint|typescript)@/.test(name)), 'tools of tests');
  transcript.note(`${target}: ${present.length} packages, all in its SBOM`);
}

/** Names and versions of the packages in /app/node_modules. */
const LIST_PACKAGES = `cd /app && node -e "
  const { globSync, readFileSync } = require('node:fs');
  for (const file of globSync(['node_modules/{*,@*/*}/package.json', 'node_modules/**/node_modules/{*,@*/*}/package.json'])) {
    const { name, version } = JSON.parse(readFileSync(file, 'utf8'));
    if (version) console.log(name + '@' + version);
  }"`;

/** Rejects unless the natural voice gives a second of sound. */
async function speaks(engine: Engine, target: string): Promise<void> {
  const request = { id: 1, text: 'Hello. How can I help you?', speaker: null };
  const program = '/speech/voice/bin/python -B /app/workers/agent/voices/natural_voice.py';
  const shell = `echo '${JSON.stringify(request)}' | ${program} | tail -n 1`;
  const answer = await inImage(engine, imageOf(target), 'bash', '-c', shell);
  const { rate, pcm } = JSON.parse(answer) as { rate: number; pcm: string };
  const seconds = Buffer.from(pcm, 'base64').length / 2 / rate;
  expectThat(seconds > 1, `${target} spoke for ${seconds} s`);
}

/** Resolves when the service has an agent worker that understands speech. */
const hears = (key: string): Promise<void> =>
  until(async () => {
    const answer = await callApi(`${ADDRESS}/v1/abilities`, key, {});
    return (JSON.parse(answer) as { hears: object | null }).hears !== null;
  }, HEALTHY_MS);

const inImage = (engine: Engine, tag: string, program: string, ...args: string[]) =>
  engine.docker('run', '--rm', '--network', 'none', '--entrypoint', program, tag, ...args);

async function hasNothingIgnored(engine: Engine): Promise<void> {
  const ignored = await command(
    'git',
    [
      'ls-files',
      '--others',
      '--ignored',
      '--exclude-standard',
      '--directory',
      'src',
      'workers',
      'deploy',
    ],
    { cwd: root },
  );
  const present = await inImage(
    engine,
    imageOf('all-in-one'),
    'find',
    '/app',
    '-path',
    '/app/node_modules',
    '-prune',
    '-o',
    '-print',
  );
  const files = new Set(present.split('\n'));
  // The image builds its own pages.
  const wrong = ignored
    .split('\n')
    .filter(
      (name) => name && name !== 'src/web/dist/' && files.has(`/app/${name.replace(/\/$/, '')}`),
    );
  expectThat(wrong.length === 0, `the image holds ${wrong.join(', ')}`);
}

/** One container for each process, as on many machines. */
async function runSeparately(engine: Engine, transcript: Transcript): Promise<void> {
  const secret = newSecret();
  const common = { WORKER_TOKEN: newSecret(), DRAIN_SECONDS: '5' };
  const mediaServer = {
    LIVEKIT_CONFIG: JSON.stringify({
      port: 7880,
      keys: { test: secret },
      rtc: { tcp_port: 7881, udp_port: 7882, node_ip: SERVER.address },
    }),
  };
  const control = {
    ...common,
    LIVEKIT_URL: 'http://127.0.0.1:7880',
    LIVEKIT_PUBLIC_URL: `ws://${SERVER.address}:7880`,
    LIVEKIT_API_KEY: 'test',
    LIVEKIT_API_SECRET: secret,
    TROUPE_API_KEY: newSecret(),
  };
  const start = async (target: string, env: Record<string, string>) =>
    transcript.step(`${target} becomes healthy`, () => startImage(engine, target, env, transcript));
  await start('media-server', mediaServer);
  await start('control', control);
  const worker = await start('avatar-worker', common);
  const agent = await start('agent-worker', common);
  await transcript.step('the agent worker hears', () => hears(control.TROUPE_API_KEY));
  await seeFace(transcript, ADDRESS, control.TROUPE_API_KEY).then((viewer) => viewer.leave());
  await transcript.step('SIGTERM ends the workers with 0', async () => {
    for (const name of [worker, agent]) {
      await engine.docker('kill', '--signal', 'TERM', name);
      const code = (await engine.docker('wait', name)).trim();
      expectThat(code === '0', `the worker ended with ${code}`);
    }
  });
  await transcript.step('stop the others', async () => {
    const containers = (await engine.docker('ps', '--quiet')).trim().split('\n');
    await engine.docker('stop', ...containers);
  });
}

async function runAllInOne(engine: Engine, transcript: Transcript): Promise<void> {
  const env = {
    TROUPE_API_KEY: newSecret(),
    PUBLIC_URL: ADDRESS,
    LIVEKIT_PUBLIC_URL: `ws://${SERVER.address}:7880`,
  };
  await transcript.step('all-in-one becomes healthy', () =>
    startImage(engine, 'all-in-one', env, transcript),
  );
  await transcript.step('its agents hear', () => hears(env.TROUPE_API_KEY));
  await seeFace(transcript, ADDRESS, env.TROUPE_API_KEY).then((viewer) => viewer.leave());
}

async function startImage(
  engine: Engine,
  target: string,
  env: Record<string, string>,
  transcript: Transcript,
): Promise<string> {
  const name = `troupe-test-${target}`;
  const settings = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
  const tag = imageOf(target);
  await engine.docker('run', '--name', name, ...RESTRICTED, ...settings, tag);
  transcript.atEnd(`remove ${target}`, () =>
    engine.docker('rm', '--force', '--volumes', name).catch(() => {}),
  );
  const state = '{{.State.Status}} {{.State.Health.Status}}';
  await until(async () => {
    const status = (await engine.docker('inspect', '--format', state, name)).trim();
    if (!status.startsWith('running'))
      throw new Error(`${name} is ${status}: ${await engine.docker('logs', name)}`);
    return status === 'running healthy';
  }, HEALTHY_MS);
  const status = await engine.docker(
    'exec',
    name,
    'grep',
    '-E',
    '^(Uid|CapEff|NoNewPrivs)',
    '/proc/1/status',
  );
  expectThat(/^Uid:\s10001\s/m.test(status), `${name} runs as root`);
  expectThat(/^CapEff:\s0+$/m.test(status), `${name} has capabilities`);
  return name;
}
