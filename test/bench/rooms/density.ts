/*
 * Number of concurrent speaking sessions at 25 fps on this machine, shared with media server,
 * agents and viewers.
 */
import type { Measure, Tools } from '../bench.ts';
import { largestThatHolds } from './halving.ts';
import { startLoad } from '../api/load-meter.ts';
import { NothingSeen } from './probe.ts';
import { row, shareText } from '../report/row.ts';
import { machineMs } from '../rpc.ts';
import { Refused, type Cast, type Stage } from '../stage.ts';
import { HELD_FPS, isAllThere, type ViewerResult } from './viewers/viewer-result.ts';

const FIRST = 4;
const MOST = 24;
const SECONDS = 10;

type Capacity = { sessions: number; fps: number[] };

export const density: Measure = async (stage, say) => {
  const floor = await heldBy(stage, stage.floor, { start: FIRST, say });
  const avatar = await heldBy(stage, stage.avatar, { start: floor.sessions, say });
  return [
    row({
      what: 'faces that this machine holds at 25 fps with all of their sound',
      unit: 'faces',
      values: avatar.sessions,
      floor: floor.sessions,
      goal: { of: 'ratio', atLeast: 0.85 },
      note: `each session at least ${HELD_FPS} fps and no sound lost in ${SECONDS} s; floor: bare publishers`,
    }),
    row({
      what: 'fps of each session at that number',
      unit: 'fps',
      values: avatar.fps,
      floor: floor.fps,
      better: 'higher',
    }),
  ];
};

/** The largest number at which every viewer gets the full stream. */
async function heldBy(
  stage: Stage,
  cast: Cast,
  { start, say }: { start: number; say: Tools['say'] },
): Promise<Capacity> {
  let best: Capacity = { sessions: 0, fps: [] };
  const sessions = await largestThatHolds({ start, most: MOST }, async (count) => {
    const from = machineMs();
    const endLoad = startLoad();
    const results = await watchTogether(stage, cast, count);
    const isHeld = typeof results !== 'string' && isAllThere(results);
    if (isHeld) {
      best = { sessions: count, fps: results.map(({ fps }) => fps) };
    }
    const took = ((machineMs() - from) / 1000).toFixed(0);
    const during = `${took} s, other programs ${shareText(endLoad().others)}`;
    say(
      `${cast.name}: ${count} side by side ${isHeld ? 'held' : 'NOT held'}, ${summaryOf(results)} (${during})`,
    );
    return isHeld;
  });
  return { ...best, sessions };
}

/** A text explains why nothing was measured. */
async function watchTogether(
  stage: Stage,
  cast: Cast,
  sessions: number,
): Promise<ViewerResult[] | string> {
  // An overloaded worker refuses sessions for a while.
  await stage.service.hasFreeSlot();
  try {
    const rooms = await stage.beginAll(cast, sessions);
    await Promise.all(rooms.map((room) => stage.probe.speak(room, SECONDS + 10)));
    const results = await Promise.all(rooms.map((room) => stage.probe.watch(room, SECONDS)));
    await stage.leaveAll(cast, rooms);
    return results;
  } catch (error) {
    if (error instanceof Refused) return 'the worker refuses another session';
    if (error instanceof NothingSeen) return 'no picture arrived';
    throw error;
  }
}

function summaryOf(results: ViewerResult[] | string): string {
  if (typeof results === 'string') return results;
  const slowest = Math.min(...results.map(({ fps }) => fps));
  const most = Math.max(...results.map(({ lostMs }) => lostMs));
  return `slowest ${slowest.toFixed(2)} fps, at most ${Math.round(most)} ms of sound lost`;
}
