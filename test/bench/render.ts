import { PLAIN_FRAME } from '#protocol/pictures/frames.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../src/shared/clock.ts';
import { buildInChild } from '../../workers/enrolment/child.ts';
import { type Bundle, openBundle } from '../../workers/bundle/open-bundle.ts';
import { BuiltInPerformer, type Scene } from '../../workers/avatar/performer/built-in-performer.ts';
import { viewOf } from '../../workers/avatar/performer/view.ts';
import { memoryOf } from '../../workers/avatar/performer/face.ts';
import { HEARING_RATE } from '#protocol/audio.ts';
import { HandGateway } from '../support/fleet/hand-gateway.ts';
import { until } from '../support/until.ts';
import type { Measure } from './bench.ts';
import { cpuSeconds } from './machine.ts';
import { machineMs } from './rpc.ts';
import { pause } from './pause.ts';
import { row, type Row } from './report/row.ts';

const avatars = new URL('../../workers/avatar/avatars/', import.meta.url);
const PHOTO = new URL('../fixtures/photo/astronaut.jpg', import.meta.url);
const FRAME_MS = 40;
const FRAMES = 1500;
const FIRST_FRAMES = 200;
const MOST_MS = 0.6;
const MOST_MB = 100;
const MOST_SHARE = 0.1;
const LARGER_FRAMES = [
  { what: '720p landscape', scene: { width: 1280, height: 720 }, mostMs: 0.6 },
  { what: '720p portrait', scene: { width: 720, height: 1280 }, mostMs: 0.6 },
  { what: '1080p, close', scene: { width: 1920, height: 1080, framing: 'close' }, mostMs: 1.2 },
] as const;
const SPEAKING_SECONDS = 10;
const MOST_START_MS = 2000;
const MOST_BUILD_MS = 30_000;

/**
 * Cost of drawing without encoding: time per frame and memory of each avatar, and the share of
 * drawing in a session.
 */
export const render: Measure = async (stage) => {
  const rows: Row[] = [];
  const drawn: number[] = [];
  const look = async (name: string, file: string) => {
    const bundle = await openBundle(file);
    const opened =
      bytesOf(bundle) + memoryOf(bundle.face, viewOf(bundle.face.manifest, PLAIN_FRAME)).byteLength;
    const spent = spentIn(bundle, PLAIN_FRAME);
    // Frames with a still head cost much less than others, so the sum counts.
    drawn.push(spent.reduce((sum, each) => sum + each, 0) / spent.length);
    rows.push(frameRow(name, spent, MOST_MS), ...memoryRows(name, opened / 1e6, furtherMb(bundle)));
    for (const { what, scene, mostMs } of LARGER_FRAMES)
      rows.push(frameRow(`${name}, ${what}`, spentIn(bundle, scene), mostMs));
    bundle.close();
  };
  for (const file of (await readdir(avatars)).filter((name) => name.endsWith('.avatar')))
    await look(path.basename(file, '.avatar'), path.join(avatars.pathname, file));
  rows.push(await buildOfPhoto((file) => look('a photo avatar', file)));

  const room = await stage.begin(stage.avatar);
  await stage.probe.speak(room, SPEAKING_SECONDS + 3);
  await pause(1000);
  const pid = await stage.avatar.pid();
  const [usedBefore, from] = [await cpuSeconds(pid), machineMs()];
  await pause(SPEAKING_SECONDS * 1000);
  const core = ((await cpuSeconds(pid)) - usedBefore) / ((machineMs() - from) / 1000);
  await stage.leave(stage.avatar, room);
  rows.push(
    row({
      what: 'drawing, as a share of what a speaking session costs, by avatar',
      unit: '%',
      values: drawn.map((ms) => (100 * ms) / FRAME_MS / core),
      goal: { of: 'worst', atMost: 100 * MOST_SHARE },
      note: `of ${core.toFixed(3)} core`,
    }),
  );
  const starts: number[] = [];
  for (let i = 0; i < 3; i++) starts.push(await workerStart());
  rows.push(
    row({
      what: 'start of a worker until it offers slots, 3 times',
      unit: 'ms',
      values: starts,
      goal: { of: 'median', atMost: MOST_START_MS },
    }),
  );
  return rows;
};

async function buildOfPhoto(look: (file: string) => Promise<void>): Promise<Row> {
  const outFolder = await mkdtemp(path.join(tmpdir(), 'troupe-bench-'));
  const from = machineMs();
  const { bundle } = await buildInChild(
    await readFile(PHOTO),
    { name: 'Photo', background: { kind: 'blur' } },
    { signal: new AbortController().signal, onProgress: () => {} },
  );
  const tookMs = machineMs() - from;
  const file = path.join(outFolder, 'photo.avatar');
  await writeFile(file, bundle);
  await look(file);
  await rm(outFolder, { recursive: true });
  return row({
    what: 'a photo becomes an avatar',
    unit: 's',
    values: tookMs / 1000,
    goal: { of: 'median', atMost: MOST_BUILD_MS / 1000 },
  });
}

async function workerStart(): Promise<number> {
  const gateway = new HandGateway();
  const port = await gateway.listen();
  const from = machineMs();
  const worker = spawn(process.execPath, ['--import', 'tsx', 'workers/avatar/main.ts'], {
    env: {
      ...process.env,
      CONTROL_URL: `http://127.0.0.1:${port}`,
      WORKER_TOKEN: 'token',
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await until(() => gateway.messagesOf('register').length > 0, 30_000);
  const tookMs = machineMs() - from;
  const exit = once(worker, 'exit');
  worker.kill('SIGKILL');
  await exit;
  await gateway.close();
  return tookMs;
}

const frameRow = (name: string, ms: number[], mostMs: number): Row =>
  row({
    what: `a frame of ${name} while speaking`,
    unit: 'ms',
    values: ms,
    goal: { of: 'median', atMost: mostMs },
  });

const memoryRows = (name: string, faceMb: number, sessionMb: number): Row[] => [
  row({
    what: `memory of ${name} in a process`,
    unit: 'MB',
    values: faceMb,
    goal: { of: 'worst', atMost: MOST_MB },
    calmBy: 'always',
  }),
  row({
    what: `memory of ${name} for each further session`,
    unit: 'MB',
    values: sessionMb,
    calmBy: 'always',
  }),
];

/** Time of each frame of a session that speaks for a minute of media time, in ms. */
function spentIn(bundle: Bundle, scene: Scene): number[] {
  const frame = new Uint8Array(scene.width * scene.height * 1.5);
  const performer = new BuiltInPerformer(bundle, { seed: 'bench', scene });
  const spent: number[] = [];
  for (let i = 0; i < FIRST_FRAMES + FRAMES; i++) {
    const at = i * FRAME_MS;
    performer.hear(voice(at), at);
    const from = systemClock.elapsed();
    performer.draw(at, frame);
    if (i >= FIRST_FRAMES) spent.push(systemClock.elapsed() - from);
  }
  performer.close();
  return spent;
}

/** Memory of each additional session with the same avatar. */
function furtherMb(bundle: Bundle): number {
  const memory = memoryOf(bundle.face, viewOf(bundle.face.manifest, PLAIN_FRAME));
  const performer = (seed: string) => new BuiltInPerformer(bundle, { seed, scene: PLAIN_FRAME });
  const performers = [performer('first')];
  const bytesBefore = memory.byteLength;
  for (let i = 0; i < 8; i++) performers.push(performer(`${i}`));
  const growth = memory.byteLength - bytesBefore;
  for (const each of performers) each.close();
  return growth / 8 / 1e6;
}

/** Speech-like sound: a voice with five syllables a second and a changing timbre. */
function voice(atMs: number): Int16Array {
  return Int16Array.from({ length: (HEARING_RATE * FRAME_MS) / 1000 }, (_, i) => {
    const t = atMs / 1000 + i / HEARING_RATE;
    const level = Math.max(0, Math.sin(2 * Math.PI * 5 * t)) * Math.max(0, Math.sin(t));
    const bright = 0.5 + 0.5 * Math.sin(2 * Math.PI * 1.3 * t);
    const tone = (hz: number) => Math.sin(2 * Math.PI * hz * t);
    return 6000 * level * (tone(130) + tone(650) * (1 - bright) + tone(2200) * bright * 0.5);
  });
}

function bytesOf({ face }: Bundle): number {
  return face.background.length + 2.5 * face.base.y.length;
}
