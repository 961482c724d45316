import type { Finished } from '../bench/rooms/agent.ts';
import { AvatarViewer } from '../support/picture/avatar-viewer.ts';
import { risingTone } from '../support/sound/rising-tone.ts';
import { AVATAR } from './agents-room.ts';
import type { TwoWorkers } from './two-workers.ts';

const RATE = 24_000;

/** A worker drains within an utterance, which it cuts at its deadline. `lastHeard`: in seconds. */
export async function runDrainCut(
  workers: TwoWorkers,
): Promise<{ id: string; report: Finished; lastHeard: number }> {
  const viewer = new AvatarViewer(AVATAR);
  const { id, agent } = await workers.open(viewer);
  const finished = agent.nextFinished();
  await agent.say(risingTone(RATE, 30), RATE);
  await viewer.hears(1);

  process.kill(await workers.service.pid('worker'), 'SIGTERM');
  const report = await finished;
  await viewer.hearsNothingFor(0.5);
  return { id, report, lastHeard: viewer.lastHeard()! };
}
