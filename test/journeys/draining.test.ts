import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Viewer } from '../bench/rooms/viewer.ts';
import { HostWatch } from '../support/processes/host-watch.ts';
import { HEARD_WITHIN_S, Witness } from '../support/picture/witness.ts';
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
  test('cuts a long utterance at the deadline and reports where', async (context) => {
    const host = new HostWatch(context);
    const witness = new Witness(AVATAR);
    const { id, agent } = await workers.open(witness);
    const finished = agent.nextFinished();
    await agent.say(risingTone(RATE, 30), RATE);
    await witness.hears(1);

    process.kill(await workers.service.pid('worker'), 'SIGTERM');
    const { playback_position: position, interrupted } = await finished;
    await witness.hearsNothingFor(0.5);

    expect(interrupted).toBe(true);
    expect(position).toBeGreaterThan(8);
    const ahead = position - witness.lastHeard()!;
    console.log(`interruption: reported ${Math.round(1000 * ahead)} ms more than was heard`);
    expect((await workers.find(id)).status.type).toBe('ongoing');
    host.judgeTime(() => expect(Math.abs(ahead)).toBeLessThan(HEARD_WITHIN_S));
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
    await until(async () => (await drains()) > before, 5_000);
    process.kill(pid, 'SIGTERM');
    await until(async () => (await workers.find(id)).status.type === 'completed', 5_000);

    expect((await workers.find(id)).end_reason).toBe('service_stopped');
  });
});
