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
/** Together below two minutes. */
const SQUEEZE = { stepMs: 2_000, limitMs: 50_000 };
const UP_MS = 60_000;
/** After the end of a speech. */
const REPORTED_MS = 8_000;
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
    const worker = await startWorker(
      service,
      { ...env, WORKER_POOL: 'default' },
      { ownSession: false },
    );
    closes.push(() => worker.kill());
    const scene = await Scene.open(service);
    closes.push(() => scene.close());
    return await measure(scene, worker.pid, say);
  } finally {
    for (const close of closes.toReversed()) await close();
  }
}

async function measure(scene: Scene, pid: number, say: Tools['say']): Promise<Row[]> {
  const { changes, viewer } = scene;
  const whole = await lostSeconds(scene, SHORT_SPEECH_S);
  const speech = lostSeconds(scene, SPEECH_S);
  await viewer.hears(1);
  const pressure = new CpuPressure(pid, MILD);
  const pressedAt = performance.now();
  let lowestMs = 0;
  let still = SHORT_SPEECH_S;
  let down = 0;
  try {
    await squeezed(pressure, () => changes.length >= STEPS, SQUEEZE);
    lowestMs = performance.now() - pressedAt;
    down = changes.length;
    say(`down: ${changes.map(({ quality }) => quality).join(', ')}, in ${seconds(lowestMs)} s`);
    await speech;
    still = await lostSeconds(scene, SHORT_SPEECH_S);
  } finally {
    await pressure.end();
  }
  const pressedChanges = changes.length;
  const releasedAt = performance.now();
  await until(() => changes.at(-1)?.quality === 'full', UP_MS).catch(() => {});
  const fullMs = performance.now() - releasedAt;
  const upward = changes.slice(pressedChanges).map(({ quality }) => quality);
  say(`up: ${upward.join(', ')}, in ${seconds(fullMs)} s`);
  const again = await lostSeconds(scene, SHORT_SPEECH_S);
  const subject = 'a worker whose CPU time is taken away and given back';
  const steps = { unit: 'steps', goal: { of: 'median', atLeast: STEPS } } as const;
  return [
    row({ what: `${subject}: steps down`, values: down, ...steps }),
    row({ what: `${subject}: steps up`, values: upward.length, ...steps }),
    row({
      what: `${subject}: sound that its viewer does not hear on the way down`,
      values: 1_000 * (await speech),
      ...lost(LOST_MS),
      note: `of ${SPEECH_S} s`,
    }),
    row({
      what: `${subject}: the same before, at the lowest step, and after`,
      values: [whole, still, again].map((each) => 1_000 * each),
      ...lost(1_000 * HEARD_WITHIN_S),
      note: `of ${SHORT_SPEECH_S} s each`,
    }),
    row({
      what: `${subject}: sessions that ended`,
      unit: 'sessions',
      values: (await scene.isOngoing()) ? 0 : 1,
      goal: { of: 'worst', atMost: 0 },
    }),
    row({ what: `${subject}: to the lowest step`, unit: 's', values: lowestMs / 1_000 }),
    row({ what: `${subject}: back to full quality`, unit: 's', values: fullMs / 1_000 }),
  ];
}

/** All of the speech if its end is not reported in time. */
const lostSeconds = (scene: Scene, ofSeconds: number): Promise<number> =>
  Promise.race([
    scene.tellsLost(ofSeconds).catch(() => ofSeconds),
    pause(1_000 * ofSeconds + REPORTED_MS).then(() => ofSeconds),
  ]);

const lost = (atMost: number) => ({ unit: 'ms', goal: { of: 'worst', atMost } }) as const;

const seconds = (ms: number): string => (ms / 1_000).toFixed(0);
