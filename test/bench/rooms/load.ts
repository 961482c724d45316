import type { Measure } from '../bench.ts';
import { meanLoad, startLoad } from '../api/load-meter.ts';
import { cpuSeconds, pssMb } from '../machine.ts';
import { row, type Load, type Row } from '../report/row.ts';
import { machineMs } from '../rpc.ts';
import type { Cast } from '../stage.ts';
import { HELD_FPS, type ViewerResult } from './viewers/viewer-result.ts';

const ROUNDS = 3;
/** One frame more or less at either end of the window. */
const SECONDS = 20;

type Side = { cpu: number[]; memoryMb: number[]; results: ViewerResult[] };

/** Concurrent speaking sessions: frames at the viewer, and cost. */
export const load =
  (sessions: number): Measure =>
  async (stage) => {
    const sides: Record<Cast['name'], Side> = {};
    const loads: Load[] = [];
    // Alternating, so that both run under the same machine load.
    for (const cast of Array.from({ length: ROUNDS }, () => [stage.floor, stage.avatar]).flat()) {
      const side = (sides[cast.name] ??= { cpu: [], memoryMb: [], results: [] });
      const rooms = await stage.beginAll(cast, sessions);
      const pid = await cast.pid();
      await Promise.all(rooms.map((room) => stage.probe.speak(room, SECONDS + 10)));
      const usedBefore = await cpuSeconds(pid);
      const endLoad = startLoad();
      const from = machineMs();
      const watching = rooms.map((room) => stage.probe.watch(room, SECONDS));
      side.results.push(...(await Promise.all(watching)));
      loads.push(endLoad());
      const used = (await cpuSeconds(pid)) - usedBefore;
      side.cpu.push(used / ((machineMs() - from) / 1000) / sessions);
      const ownMb = (await pssMb(pid)) - (cast === stage.floor ? stage.pictureMb : 0);
      side.memoryMb.push(ownMb / sessions);
      await stage.leaveAll(cast, rooms);
    }
    return rowsOf(sessions, sides['avatar']!, sides['floor']!).map((row) => ({
      ...row,
      load: meanLoad(loads),
    }));
  };

function rowsOf(sessions: number, avatar: Side, floor: Side): Row[] {
  const at = `${sessions} session${sessions > 1 ? 's' : ''}`;
  const figures = (of: keyof ViewerResult) => ({
    values: avatar.results.map((each) => each[of]),
    floor: floor.results.map((each) => each[of]),
  });
  return [
    row({
      what: `fps at each viewer, ${at}`,
      unit: 'fps',
      ...figures('fps'),
      goal: { of: 'worst', atLeast: HELD_FPS },
    }),
    row({
      what: `longest time between frames, ${at}`,
      unit: 'ms',
      ...figures('longestGapMs'),
      goal: { of: 'worst', atMost: 120 },
    }),
    row({
      what: `sound lost in ${SECONDS} s, ${at}`,
      unit: 'ms',
      ...figures('lostMs'),
      goal: { of: 'worst', atMost: 0 },
    }),
    row({
      what: `processor of a speaking session, ${at}`,
      unit: 'core',
      values: avatar.cpu,
      floor: floor.cpu,
      goal: { of: 'ratio', atMost: 1.25 },
    }),
    row({
      what: `memory (PSS) of a session, ${at}`,
      unit: 'MB',
      values: avatar.memoryMb,
      floor: floor.memoryMb,
      ...(sessions >= 4 && { goal: { of: 'worst', atMost: 80 } }),
      note: 'the process total divided by its sessions',
      calmBy: 'always',
    }),
  ];
}
