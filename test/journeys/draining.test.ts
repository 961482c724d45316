import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Viewer } from '../bench/rooms/viewer.ts';
import { cutByDrain } from '../stage/cut-by-drain.ts';
import { AVATAR, TwoWorkers } from '../support/processes/two-workers.ts';
import { risingTone } from '../support/sound/rising-tone.ts';
import { until } from '../support/until.ts';

const RATE = 24_000;

let workers: TwoWorkers;
beforeAll(async () => {
  workers = await TwoWorkers.start();
});
afterEach(() => workers.leave());
afterAll(() => workers?.service.stop());

describe('a stopping worker', () => {
  test('cuts a long utterance at the deadline and reports where', async () => {
    const { id, report } = await cutByDrain(workers);

    expect(report.interrupted).toBe(true);
    expect(report.playback_position).toBeGreaterThan(8);
    expect(report.playback_position).toBeLessThan(30);
    expect((await workers.find(id)).status.type).toBe('ongoing');
  });

  test('ends its sessions at once at the second signal', async () => {
    const viewer = new Viewer(AVATAR);
    const { id, agent } = await workers.open(viewer);
    await agent.say(risingTone(RATE, 30), RATE);
    await viewer.untilLoud();
    const pid = await workers.service.pid('worker');

    const drains = async () => (await workers.service.logOf('worker')).split('handing over').length;
    const before = await drains();
    process.kill(pid, 'SIGTERM');
    await until(async () => (await drains()) > before);
    process.kill(pid, 'SIGTERM');
    await until(async () => (await workers.find(id)).status.type === 'completed');

    expect((await workers.find(id)).end_reason).toBe('service_stopped');
  });
});
