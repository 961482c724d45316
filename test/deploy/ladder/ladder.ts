/*
 * A worker that gets too little CPU time, and nothing else on the machine does: it shows less, one
 * step after another, says so each time, and its viewer still sees the face. A few hundredths of a
 * second of sound may be lost on the way down; at its end every word is heard again. It shows
 * everything again when it gets the time back.
 */
import os from 'node:os';
import { QUALITY_NAMES } from '#protocol/qualities.ts';
import { comeFirst } from '../../../src/start/processes/priority.ts';
import { likeness } from '../../support/picture/likeness.ts';
import { CpuPressure } from '../../support/processes/cpu-pressure.ts';
import { NO_AGENTS, startService } from '../../support/processes/service.ts';
import { startWorker } from '../../support/processes/worker-process.ts';
import { until } from '../../support/until.ts';
import { expectThat } from '../expect-that.ts';
import type { Transcript } from '../transcript.ts';
import { Scene } from './scene.ts';
import { MILD, squeezed } from './squeezed.ts';

const env = { WORKER_TOKEN: 'a token that all workers know', LOWEST_QUALITY: 'still_picture' };
const SPEECH_S = 4;
/** Some of the way down. */
const LONG_SPEECH_S = 8;
/** Four climbs of ten seconds, and time for two that fail. */
const CLIMB_MS = 120_000;
const DOWN = QUALITY_NAMES.slice(1);
const UP = QUALITY_NAMES.slice(0, -1).toReversed();

export async function checkLadder(transcript: Transcript): Promise<void> {
  // The viewer, which is in this process, must not be what starves.
  const priority = os.getPriority();
  comeFirst(process.pid);
  transcript.atEnd('as before for other parts', async () => os.setPriority(priority));
  // The service's own worker gets no session.
  const service = await transcript.step('a service', () =>
    startService({
      env: { ...NO_AGENTS, ...env, WORKER_POOL: 'nobody', ALLOWED_NETWORKS: '127.0.0.0/8' },
    }),
  );
  transcript.atEnd('the service stops', () => service.stop());
  const worker = await transcript.step('a worker', () =>
    startWorker(service, env, { ownSession: false }),
  );
  transcript.atEnd('the worker ends', () => worker.kill());
  const scene = await transcript.step('a session with an agent and a viewer', () =>
    Scene.open(service),
  );
  transcript.atEnd('all leave', () => scene.close());
  const { viewer } = scene;
  await transcript.step('full quality, whole sound', () => scene.says(SPEECH_S));
  const [look, width] = [viewer.look!, viewer.width!];

  const longSpeech = scene.tellsLost(LONG_SPEECH_S);
  // Awaited below; a step may fail before.
  longSpeech.catch(() => {});
  await viewer.hears(1);
  const pressure = new CpuPressure(worker.pid, MILD);
  let isPressed = true;
  const release = async () => {
    if (isPressed) await pressure.end();
    isPressed = false;
  };
  transcript.atEnd('the pressure ends', release);
  for (const [i, quality] of DOWN.entries()) {
    const framesBefore = viewer.frames;
    await transcript.step(`down to ${quality}, by event and metric`, async () => {
      const isDown = await squeezed(pressure, () => scene.changes.length > i);
      expectThat(isDown, 'the worker stays where it is with the least CPU time');
      await viewer.sees(1);
    });
    const frames = viewer.frames - framesBefore;
    transcript.note(`${frames} frames; the busy loop has priority ${pressure.priority}`);
  }
  await transcript.step('a still picture: the same face, of half the size', async () => {
    await viewer.sees(3);
    const like = likeness(viewer.look!, look);
    transcript.note(`likeness to full quality: ${like.toFixed(3)}`);
    expectThat(like > 0.9, `the face has a likeness of ${like.toFixed(2)} to itself`);
    expectThat(viewer.width === width / 2, `it is ${viewer.width} pixels wide, not ${width / 2}`);
  });
  const lostSeconds = await transcript.step(
    'a speech on the way down, to its end',
    () => longSpeech,
  );
  transcript.note(
    `the viewer did not hear ${Math.round(1_000 * lostSeconds)} ms of ${LONG_SPEECH_S} s`,
  );
  const moves = viewer.mouthMoves;
  await transcript.step('whole sound of a still picture', () => scene.says(SPEECH_S));
  expectThat(viewer.mouthMoves === moves, 'the mouth of the still picture moves');
  await until(async () => (await scene.workersAt('still_picture')) === 1, 10_000);
  const downward = scene.changes.map(({ quality }) => quality);
  expectThat(downward.join() === DOWN.join(), `it went down by ${downward.join(', ')}`);
  await release();

  await transcript.step('up to full quality again', async () => {
    await until(() => scene.changes.at(-1)?.quality === 'full', CLIMB_MS);
    await until(async () => (await scene.workersAt('full')) === 1, 10_000);
    await viewer.sees(50);
    expectThat(viewer.width === width, `it is ${viewer.width} pixels wide, not ${width}`);
  });
  await transcript.step('full quality, whole sound', () => scene.says(SPEECH_S));
  const announced = scene.changes.map(({ quality }) => quality);
  transcript.note(announced.join(', '));
  expectThat(announced.slice(-4).join() === UP.join(), `it came back by ${announced.join(', ')}`);
  const recorded = await scene.timeline();
  expectThat(recorded.join() === announced.join(), `the timeline has ${recorded.join(', ')}`);
  const wrong = scene.changes.filter(({ counted }, at) => counted !== countedAt(announced, at));
  expectThat(wrong.length === 0, `the metric does not count ${JSON.stringify(wrong)}`);
}

/** How many changes to the same quality there were so far. */
const countedAt = (announced: string[], at: number): number =>
  announced.slice(0, at + 1).filter((quality) => quality === announced[at]).length;
