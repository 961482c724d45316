import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Viewer } from '../../bench/rooms/viewers/viewer.ts';
import { AVATAR } from '../../stage/agents-room.ts';
import { runDrainCut } from '../../stage/drain-cut.ts';
import { TwoWorkers } from '../../stage/two-workers.ts';
import { AvatarViewer } from '../../support/picture/avatar-viewer.ts';
import { shareService } from '../../support/processes/shared-service.ts';
import { risingTone } from '../../support/sound/rising-tone.ts';
import { until } from '../../support/until.ts';

const RATE = 24_000;
/** A worker that left by itself, or was dropped, logs something else. */
const stayedUntilReplaced = (id: string) =>
  new RegExp(`"${id}".*"reason":"replaced","msg":"session ended"`);

let workers: TwoWorkers;
beforeAll(async () => {
  workers = new TwoWorkers(await shareService());
});
afterEach(() => workers.leave());
afterAll(() => workers?.service.stop());

/** Stops the worker. Resolves when 25 frames of the other one were seen. */
async function drain(viewer: AvatarViewer, pid: number): Promise<void> {
  const { current } = viewer.faces;
  process.kill(pid, 'SIGTERM');
  await until(() => viewer.faces.current !== current);
  await viewer.sees(25);
}

const fullReport = (seconds: number) => ({
  playback_position: expect.closeTo(seconds, 2),
  interrupted: false,
});

describe('a stopping worker', () => {
  test('shows its face until the other one does, and hands the session over between two utterances', async () => {
    const viewer = new AvatarViewer(AVATAR);
    const { service } = workers;
    const { id, agent, secondWorker } = await workers.open(viewer);
    const sessionBefore = await workers.find(id);
    const registrations = async () =>
      (await service.logOf('worker')).split('registered with the gateway').length;
    const earlier = await registrations();
    const firstReport = agent.nextFinished();
    await agent.say(risingTone(RATE, 3), RATE);
    await viewer.hears(0.1);

    await drain(viewer, await service.pid('worker'));
    // The other one waits for its successor only until its deadline, and a busy machine takes
    // longer to start it.
    await until(async () => (await registrations()) > earlier);
    const secondReport = agent.nextFinished();
    await agent.say(risingTone(RATE, 1), RATE);
    await secondReport;
    await drain(viewer, secondWorker.pid);

    expect(await firstReport).toMatchObject(fullReport(3));
    expect(await secondReport).toMatchObject(fullReport(1));
    expect(await workers.find(id)).toEqual(sessionBefore);
    expect(await secondWorker.exited).toBe(0);
    const { changes, counts } = viewer.faces;
    expect(changes).toEqual(['came', 'left', 'came', 'left', 'came']);
    expect(Math.max(...counts.map(({ participants: present }) => present))).toBe(1);
    expect(Math.max(...counts.map(({ tracks }) => tracks))).toBe(1);
    await until(async () => stayedUntilReplaced(id).test(await service.logOf('worker')));
    await secondWorker.says(stayedUntilReplaced(id));
  });

  test('cuts a long utterance at the deadline and reports where', async () => {
    const { id, report } = await runDrainCut(workers);

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
    const drainsBefore = await drains();
    process.kill(pid, 'SIGTERM');
    await until(async () => (await drains()) > drainsBefore);
    process.kill(pid, 'SIGTERM');
    await until(async () => (await workers.find(id)).status.type === 'completed');

    expect((await workers.find(id)).end_reason).toBe('service_stopped');
  });
});
