/*
 * CPU time is taken from a worker while its avatar speaks, and given back: it shows less step by
 * step, then everything again. Its sound stays whole and its session goes on. Needs root and
 * `taskset` (test/support/processes/cpu-pressure.ts).
 */
import os from 'node:os';
import { QUALITY_NAMES } from '#protocol/qualities.ts';
import { comeFirst } from '../../../src/start/processes/priority.ts';
import { Scene } from '../../deploy/ladder/scene.ts';
import { MILD, squeezed } from '../../deploy/ladder/squeezed.ts';
import { HEARD_WITHIN_S } from '../../stage/tone-errors.ts';
import { CpuPressure } from '../../support/processes/cpu-pressure.ts';
import { NO_AGENTS, startService } from '../../support/processes/service.ts';
import { startWorker } from '../../support/processes/worker-process.ts';
import { until } from '../../support/until.ts';
import type { Tools } from '../bench.ts';
import { pause } from '../pause.ts';
import { row, type Row } from '../report/row.ts';

const STEPS = QUALITY_NAMES.length - 1;
const SPEECH_S = 8;
const SHORT_SPEECH_S = 4;
const DOWN_MS = 60_000;
/** Four climbs take ten seconds each, and a failed one twenty more. */
const UP_MS = 90_000;
/** A delivery that failed is repeated after half a minute. */
const DELIVERED_MS = 40_000;
/** After the end of a speech. Sound that waits for the CPU is late, but not lost. */
const REPORTED_MS = 20_000;
/** The sound of a step down may wait for the CPU longer than its queue lasts. */
const LOST_MS = 100;

const env = {
  WORKER_TOKEN: 'a token that all workers know',
  WORKER_POOL: 'nobody',
  LOWEST_QUALITY: 'still_picture',
};

export async function ladder({ say }: Tools): Promise<Row[]> {
  // The viewer, which is in this process, must not be what starves.
  const priority = os.getPriority();
  comeFirst(process.pid);
  const closes: (() => unknown)[] = [() => os.setPriority(priority)];
  try {
    const service = await startService({
      env: { ...NO_AGENTS, ...env, ALLOWED_NETWORKS: '127.0.0.0/8' },
    });
    closes.push(() => service.stop());
    const qualities: string[] = [];
    const worker = await startWorker(
      service,
      { ...env, WORKER_POOL: 'default' },
      { ownSession: false, onLine: (line) => qualities.push(...qualityIn(line)) },
    );
    closes.push(() => worker.kill());
    const scene = await Scene.open(service);
    closes.push(() => scene.close());
    return await measure(scene, { pid: worker.pid, qualities }, say);
  } finally {
    for (const close of closes.toReversed()) await close();
  }
}

/** `qualities`: those that it has changed to, by its log. */
type Squeezed = { pid: number; qualities: readonly string[] };

function qualityIn(line: string): string[] {
  if (!line.startsWith('{')) return [];
  const { msg = '', quality } = JSON.parse(line) as { msg?: string; quality?: string };
  return quality !== undefined && /quality (lowered|raised)$/.test(msg) ? [quality] : [];
}

async function measure(scene: Scene, { pid, qualities }: Squeezed, say: Tools['say']) {
  const { viewer } = scene;
  const wholeS = await lostSeconds(scene, SHORT_SPEECH_S);
  const speech = lostSeconds(scene, SPEECH_S);
  await viewer.hears(1);
  const pressure = new CpuPressure(pid, MILD);
  const pressedAt = performance.now();
  let still = SHORT_SPEECH_S;
  try {
    await pushDown(pressure, qualities);
    say(`down: ${qualities.join(', ')}, in ${secondsSince(pressedAt)} s`);
    await speech;
    still = await lostSeconds(scene, SHORT_SPEECH_S);
  } finally {
    await pressure.end();
  }
  const lowestMs = performance.now() - pressedAt;
  const down = qualities.length;
  const releasedAt = performance.now();
  await until(() => qualities.at(-1) === 'full', UP_MS).catch(() => {});
  const fullMs = performance.now() - releasedAt;
  const upward = qualities.slice(down);
  say(`up: ${upward.join(', ')}, in ${secondsSince(releasedAt)} s`);
  const againS = await lostSeconds(scene, SHORT_SPEECH_S);
  const announced = () => scene.changes.map(({ quality }) => quality);
  await until(() => announced().length >= qualities.length, DELIVERED_MS).catch(() => {});
  const subject = 'a worker whose CPU time is taken away and given back';
  const steps = { unit: 'steps', goal: { of: 'median', atLeast: STEPS } } as const;
  return [
    row({
      what: `${subject}: steps down`,
      values: down,
      ...steps,
      note: qualities.slice(0, down).join(', '),
    }),
    row({ what: `${subject}: steps up`, values: upward.length, ...steps, note: upward.join(', ') }),
    row({
      what: `${subject}: steps without session.quality_changed`,
      values: unannounced(qualities, announced()),
      unit: 'steps',
      goal: { of: 'worst', atMost: 0 },
    }),
    row({
      what: `${subject}: sound that its viewer does not hear on the way down`,
      values: 1_000 * (await speech),
      ...lostGoal(LOST_MS),
      note: `of ${SPEECH_S} s`,
    }),
    row({
      what: `${subject}: the same before, at the lowest step, and after`,
      values: [wholeS, still, againS].map((each) => 1_000 * each),
      ...lostGoal(1_000 * HEARD_WITHIN_S),
      note: `of ${SHORT_SPEECH_S} s each`,
    }),
    row({
      what: `${subject}: sessions that ended`,
      unit: 'sessions',
      values: (await scene.isOngoing()) ? 0 : 1,
      goal: { of: 'worst', atMost: 0 },
    }),
    row({ what: `${subject}: at lower quality, pressed`, unit: 's', values: lowestMs / 1_000 }),
    row({ what: `${subject}: back to full quality`, unit: 's', values: fullMs / 1_000 }),
  ];
}

/**
 * Takes more time only while the worker stays where it is. More after its last step would silence
 * it: the service then moves the session, as from a dead worker.
 */
async function pushDown(pressure: CpuPressure, qualities: readonly string[]): Promise<void> {
  const begunAt = performance.now();
  for (let step = 1; step <= STEPS; step += 1) {
    const limitMs = DOWN_MS - (performance.now() - begunAt);
    if (!(await squeezed(pressure, () => qualities.length >= step, { limitMs }))) return;
  }
}

/** Changes of the worker that no event tells of, in order. */
function unannounced(qualities: readonly string[], announced: readonly string[]): number {
  let announcedCount = 0;
  for (const quality of qualities) if (announced[announcedCount] === quality) announcedCount += 1;
  return qualities.length - announcedCount;
}

/** All of the speech if its end is not reported in time. */
const lostSeconds = (scene: Scene, ofSeconds: number): Promise<number> =>
  Promise.race([
    scene.hears(ofSeconds).then(
      (heardSeconds) => Math.max(0, ofSeconds - heardSeconds),
      () => ofSeconds,
    ),
    pause(1_000 * ofSeconds + REPORTED_MS).then(() => ofSeconds),
  ]);

const lostGoal = (atMost: number) => ({ unit: 'ms', goal: { of: 'worst', atMost } }) as const;

const secondsSince = (atMs: number): string => ((performance.now() - atMs) / 1_000).toFixed(0);
