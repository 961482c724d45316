import { RoomEvent, TrackKind } from '@livekit/rtc-node';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Viewer } from '../bench/rooms/viewer.ts';
import { AVATAR, TwoWorkers } from '../support/processes/two-workers.ts';
import { risingTone } from '../support/sound/rising-tone.ts';
import { until } from '../support/until.ts';

const RATE = 24_000;
/** Maximum time without a new frame at the viewer while its session moves to another worker. */
const LONGEST_GAP_MS = 120;
/** The old worker's last frames, without those of the speech before. */
const AROUND_MS = 500;

let workers: TwoWorkers;
beforeAll(async () => {
  workers = await TwoWorkers.start();
});
afterEach(() => workers.leave());
afterAll(() => workers?.service.stop());

/** Stops the worker. Resolves with how long the picture stood still around the switch to the other one. */
async function drained(viewer: Viewer, pid: number): Promise<number> {
  viewer.forget();
  const moved = new Promise<void>((resolve) => {
    viewer.room.on(RoomEvent.TrackSubscribed, ({ kind }) => {
      if (kind === TrackKind.KIND_VIDEO) resolve();
    });
  });
  process.kill(pid, 'SIGTERM');
  await moved;
  const { frames } = viewer.seen;
  const count = frames.length;
  await until(() => frames.length > count + 50);
  const switched = frames.find(({ track }) => track > frames[0]!.track)!;
  const times = frames.map(({ atMs }) => atMs).filter((atMs) => atMs > switched.atMs - AROUND_MS);
  return Math.max(...times.slice(1).map((atMs, i) => atMs - times[i]!));
}

describe('a stopping worker', () => {
  test('hands its session over between two utterances and exits', async () => {
    const viewer = new Viewer(AVATAR);
    const { id, agent, other } = await workers.open(viewer);
    const before = await workers.find(id);
    await agent.say(risingTone(RATE, 3), RATE);
    await viewer.untilLoud();

    const gaps = [await drained(viewer, await workers.service.pid('worker'))];
    const first = [...agent.finished];
    const second = agent.nextFinished();
    await agent.say(risingTone(RATE, 1), RATE);
    const later = await second;
    gaps.push(await drained(viewer, other.pid));

    process.stdout.write(`the picture stood still for ${gaps.map(Math.round).join(' and ')} ms\n`);
    expect(first[0]).toMatchObject({
      playback_position: expect.closeTo(3, 2),
      interrupted: false,
    });
    expect(later).toMatchObject({ playback_position: expect.closeTo(1, 2), interrupted: false });
    expect(await workers.find(id)).toEqual(before);
    expect(await other.exited).toBe(0);
    expect(Math.max(...gaps)).toBeLessThan(LONGEST_GAP_MS);
  });
});
