/* How many sessions speak side by side at 25 fps, on all that this machine has: media server, agents and viewers take their part of it too. */
import { begin, leave, type Measure } from './rows.ts';
import type { BenchRoom } from './rooms.ts';
import { Refused, type Cast, type Stage } from './stage.ts';

const FEWEST = 3;
const MOST = 24;
const SECONDS = 10;
const HELD_FPS = 24.5;

export const density: Measure = async (stage) => {
  const floor = await heldBy(stage, stage.floor);
  const avatar = await heldBy(stage, stage.avatar);
  const share = avatar / floor;
  return [
    {
      what: 'sessions side by side at 25 fps with all their sound',
      avatar: `${avatar} = ${Math.round(share * 100)} %`,
      floor: `${floor}`,
      goal: '>= 85 % of the floor',
      isMet: share >= 0.85,
      // The machine is meant to be full.
      pressure: null,
    },
  ];
};

/** The largest number with which everyone still gets all of it. */
async function heldBy(stage: Stage, cast: Cast): Promise<number> {
  for (let sessions = FEWEST; sessions <= MOST; sessions++) {
    if (!(await isHeld(stage, cast, sessions))) return sessions - 1;
  }
  return MOST;
}

async function isHeld(stage: Stage, cast: Cast, sessions: number): Promise<boolean> {
  const rooms: BenchRoom[] = [];
  try {
    for (let i = 0; i < sessions; i++) rooms.push(await begin(stage, cast));
    await Promise.all(rooms.map((room) => stage.probe.speak(room, SECONDS + 10)));
    const all = await Promise.all(rooms.map((room) => stage.probe.watch(room, SECONDS)));
    return all.every(
      ({ fps, concealedMs, silentMs }) => fps >= HELD_FPS && concealedMs + silentMs < 20,
    );
  } catch (error) {
    // A worker whose frames come late offers no more slots: it says itself that it holds no more.
    if (error instanceof Refused) return false;
    throw error;
  } finally {
    await Promise.all(rooms.map((room) => leave(stage, cast, room)));
  }
}
