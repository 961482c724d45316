/*
 * Faults as seen by a viewer: workers and the control plane are killed under four speaking
 * sessions, which continue from kill to kill. Also planned moves: a worker that drains.
 */
import { STEADY_MS } from '../../../src/start/processes/program.ts';
import { startWorker, type WorkerProcess } from '../../support/processes/worker-process.ts';
import type { Measure, Tools } from '../bench.ts';
import { pause } from '../pause.ts';
import type { BenchRoom } from './rooms.ts';
import { row, type Row } from '../report/row.ts';
import { machineMs } from '../rpc.ts';
import { ADMIN_PASSWORD, WORKER_TOKEN, type Stage } from '../stage.ts';

const SESSIONS = 4;
const KILLS = 20;
const SILENCES = 10;
const SPARE = 'four free slots on a second worker';
const JOINS = 6;
const RESTARTS = 5;
const MOVES = 12;
/** Speech lasts longer than the time until the worker is killed. */
const SPEECH_SECONDS = 15;
/** After this time every avatar is back, or the figure shows a failure. */
const SETTLED_MS = 6_000;
const RESTART_WINDOW_MS = 30_000;
/** While a session moves between two utterances, or the control plane restarts: three frames. */
const LONGEST_STANDSTILL_MS = 120;
/** Time before a fault in which pictures are observed. */
const BEFORE_MS = 1_000;

type Goals = { medianMs: number; p95Ms: number };

/**
 * Excludes the service's own worker: its restart would take CPU from the spare that another machine
 * has.
 */
const POOL = 'faults';

/**
 * A second worker has four free slots. The performing worker is killed, and a new one becomes the
 * next spare.
 */
export const failoverToSpare: Measure = async (stage, say) => {
  const { back, floor } = await toSpares(stage, say, KILLS, (worker) => worker.kill());
  return rows(`kill -9, ${SPARE}`, back, floor, { medianMs: 1_000, p95Ms: 2_000 });
};

/**
 * The same with a paused worker: its connections stay open, and only its silence shows the fault.
 */
export const failoverFromSilence: Measure = async (stage, say) => {
  const stopped: WorkerProcess[] = [];
  try {
    const { back, floor } = await toSpares(stage, say, SILENCES, async (worker) => {
      stopped.push(worker);
      process.kill(worker.pid, 'SIGSTOP');
    });
    return rows(`SIGSTOP, ${SPARE}`, back, floor, { medianMs: 4_000, p95Ms: 4_000 });
  } finally {
    for (const worker of stopped) await worker.kill();
  }
};

async function toSpares(
  stage: Stage,
  say: Tools['say'],
  faults: number,
  breakOff: (performing: WorkerProcess) => Promise<void>,
): Promise<{ back: number[][]; floor: number[][] }> {
  const start = () => startInPool(stage, { WORKER_SLOTS: String(SESSIONS) });
  await performIn(stage, POOL);
  let performing: WorkerProcess = await start();
  let spare: WorkerProcess | null = null;
  const back: number[][] = [];
  try {
    const rooms = await open(stage);
    for (let fault = 0; fault < faults; fault++) {
      const broken = performing;
      spare = await start();
      back.push(await untilBack(stage, rooms, () => breakOff(broken)));
      say(afterFault(back, faults));
      performing = spare;
    }
    await close(stage, rooms);
  } finally {
    await Promise.all([performing.kill(), spare?.kill()]);
    await performIn(stage, null);
  }
  return { back, floor: await joins(stage) };
}

/** A single worker, restarted by the supervisor. */
export const failoverToNew: Measure = async (stage, say) => {
  const rooms = await open(stage);
  const back: number[][] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    // The supervisor delays restarts after repeated deaths.
    await pause(STEADY_MS - SETTLED_MS);
    back.push(await untilBack(stage, rooms, () => killOwn(stage)));
    say(afterFault(back, KILLS));
  }
  await close(stage, rooms);
  return rows('kill -9, no other worker', back, await joins(stage), {
    medianMs: 3_000,
    p95Ms: 3_000,
  });
};

/**
 * The control plane is killed and restarted. Rooms are not disturbed: the longest gap of the half
 * minute from a kill is no longer than that of the two half minutes before it.
 */
export const controlRestart: Measure = async (stage, say) => {
  const rooms = await open(stage);
  const gapsBefore: number[] = [];
  const gapsAfter: number[] = [];
  for (let restart = 0; restart < RESTARTS; restart++) {
    // Sessions are performed throughout.
    await speak(stage, rooms, (3 * RESTART_WINDOW_MS) / 1_000);
    let killedAt = 0;
    const frames = await watch(stage, rooms, async () => {
      await pause(2 * RESTART_WINDOW_MS);
      killedAt = machineMs();
      await stage.service.killProgram('control');
      await pause(RESTART_WINDOW_MS);
    });
    const [earlier, later, since] = [-2, -1, 0]
      .map((window) => killedAt + window * RESTART_WINDOW_MS)
      .map((from) => longestIn(frames, from, from + RESTART_WINDOW_MS)) as [number, number, number];
    gapsBefore.push(earlier, later);
    gapsAfter.push(since);
    say(
      `kill ${restart + 1} of ${RESTARTS}: ${earlier.toFixed(0)} and ${later.toFixed(0)} ms before, ${since.toFixed(0)} ms after`,
    );
  }
  await close(stage, rooms);
  const subject = `longest time between frames, ${SESSIONS} speaking sessions, ${RESTARTS} kills of the control plane`;
  return [
    row({
      what: subject,
      unit: 'ms',
      values: gapsAfter,
      floor: gapsBefore,
      goal: { of: 'ratio', atMost: 1 },
      note: 'in the 30 s from each kill; floor: in each of the two times 30 s before it',
    }),
    row({
      what: `${subject}, the longest`,
      unit: 'ms',
      values: gapsAfter,
      floor: gapsBefore,
      goal: { of: 'worst', atMost: LONGEST_STANDSTILL_MS },
    }),
  ];
};

/**
 * A worker drains and its silent avatar moves to another worker; alternates with a bare publisher
 * that takes the place of another one.
 */
export const handOver: Measure = async (stage, say) => {
  const start = () => startInPool(stage, { WORKER_SLOTS: '1', DRAIN_SECONDS: '0' });
  await performIn(stage, POOL);
  let performing: WorkerProcess = await start();
  let nextWorker: WorkerProcess | null = null;
  const still: number[] = [];
  const floor: number[] = [];
  try {
    const room = await stage.begin(stage.avatar);
    const bareRoom = await stage.begin(stage.floor);
    for (let move = 0; move < MOVES; move++) {
      const leaving = performing;
      nextWorker = await start();
      const avatarMs = await standstill(stage, room, async () => {
        process.kill(leaving.pid, 'SIGTERM');
        await leaving.exited;
      });
      performing = nextWorker;
      const floorMs = await standstill(stage, bareRoom, () => stage.floor.start(bareRoom));
      say(
        `move ${move + 1} of ${MOVES}: ${avatarMs.toFixed(0)} ms, floor ${floorMs.toFixed(0)} ms`,
      );
      // The first two are warm-up.
      if (move < 2) continue;
      still.push(avatarMs);
      floor.push(floorMs);
    }
    await stage.leave(stage.avatar, room);
    await stage.leave(stage.floor, bareRoom);
  } finally {
    await Promise.all([performing.kill(), nextWorker?.kill()]);
    await performIn(stage, null);
  }
  const subject = `the picture stands still while its face moves to another worker, ${still.length} times`;
  return [
    row({
      what: subject,
      unit: 'ms',
      values: still,
      floor,
      goal: { of: 'ratio', atMost: 1.3 },
      note: 'floor: a bare publisher takes the place of another one',
    }),
    row({
      what: `${subject}, the longest`,
      unit: 'ms',
      values: still,
      floor,
      goal: { of: 'worst', atMost: LONGEST_STANDSTILL_MS },
    }),
  ];
};

const open = (stage: Stage): Promise<BenchRoom[]> => stage.beginAll(stage.avatar, SESSIONS);

const close = (stage: Stage, rooms: BenchRoom[]): Promise<void> =>
  stage.leaveAll(stage.avatar, rooms);

const speak = (stage: Stage, rooms: BenchRoom[], seconds: number) =>
  Promise.all(rooms.map((room) => stage.probe.speak(room, seconds)));

const watch = (stage: Stage, rooms: BenchRoom[], during: () => Promise<void>) => {
  const happening = pause(100).then(during);
  return Promise.all(rooms.map((room) => stage.probe.framesDuring(room, happening)));
};

/** Moves the bench's account to the given worker pool. */
async function performIn({ service }: Stage, pool: string | null): Promise<void> {
  const admin = new URL('/admin/accounts', service.address).href;
  const headers = {
    authorization: `Bearer ${ADMIN_PASSWORD}`,
    'content-type': 'application/json',
  };
  // The first account is last in the list.
  const { data } = (await (await fetch(admin, { headers })).json()) as { data: { id: string }[] };
  const changed = await fetch(`${admin}/${data.at(-1)?.id}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ pool }),
  });
  if (!changed.ok) throw new Error(`failed to change the pool: ${await changed.text()}`);
}

const startInPool = ({ service }: Stage, env: Record<string, string>): Promise<WorkerProcess> =>
  startWorker(service, { WORKER_TOKEN, WORKER_POOL: POOL, ...env });

async function killOwn({ service }: Stage): Promise<void> {
  process.kill(await service.pid('worker'), 'SIGKILL');
}

/** Kills the worker of all four sessions and waits until each avatar is back. */
async function untilBack(
  stage: Stage,
  rooms: BenchRoom[],
  kill: () => Promise<void>,
): Promise<number[]> {
  await speak(stage, rooms, SPEECH_SECONDS);
  let killedAt = 0;
  const frames = await watch(stage, rooms, async () => {
    await pause(BEFORE_MS);
    killedAt = machineMs();
    await kill();
    await pause(SETTLED_MS);
  });
  return frames.map((times) => longestGap(times.filter((at) => at >= killedAt)).until - killedAt);
}

const afterFault = (back: number[][], faults: number): string =>
  `fault ${back.length} of ${faults}: the last face is back after ${Math.max(...back.at(-1)!).toFixed(0)} ms`;

/** Floor of a failover: bare publishers join as many rooms at once, until each is visible. */
async function joins(stage: Stage, tries = JOINS, atOnce = SESSIONS): Promise<number[][]> {
  const rounds: number[][] = [];
  for (let i = 0; i < tries; i++) {
    const rooms = await Promise.all(Array.from({ length: atOnce }, () => stage.room()));
    await pause(BEFORE_MS);
    const times = rooms.map(async (room) => {
      const frame = stage.probe.firstFrame(room);
      const startedAt = await stage.floor.start(room);
      return (await frame) - startedAt;
    });
    rounds.push(await Promise.all(times));
    await stage.leaveAll(stage.floor, rooms);
  }
  return rounds;
}

/** The longest time without a frame, in milliseconds, around the move. */
async function standstill(
  stage: Stage,
  room: BenchRoom,
  move: () => Promise<unknown>,
): Promise<number> {
  const [frames = []] = await watch(stage, [room], async () => {
    await pause(BEFORE_MS);
    await move();
    await pause(BEFORE_MS);
  });
  return longestGap(frames).ms;
}

/** The longest time without a frame. `until`: time of the next frame, infinite if none came. */
function longestGap(times: number[]): { ms: number; until: number } {
  let gap = { ms: 0, until: Infinity };
  for (const [i, at] of times.entries()) {
    const ms = i === 0 ? 0 : at - times[i - 1]!;
    if (ms > gap.ms) gap = { ms, until: at };
  }
  return gap;
}

/** In milliseconds, over all sessions. A gap may begin before the window. */
const longestIn = (frames: number[][], from: number, to: number): number =>
  Math.max(
    ...frames.map((times) => {
      const lastFrameAt = times.findLast((at) => at <= from) ?? from;
      return longestGap([lastFrameAt, ...times.filter((at) => at > from && at <= to), to]).ms;
    }),
  );

/** Time until each avatar is back: once over all avatars, once over the last one of each fault. */
function rows(how: string, back: number[][], floor: number[][], goals: Goals): Row[] {
  const rowsOf = (faces: string, times: number[], floorTimes: number[]): Row[] => {
    const subject = `${faces} is back after its worker is lost: ${how}`;
    return [
      row({
        what: subject,
        unit: 'ms',
        values: times,
        floor: floorTimes,
        goal: { of: 'median', atMost: goals.medianMs },
        note: `${SESSIONS} speaking sessions, ${back.length} faults; floor: ${SESSIONS} bare publishers join at once`,
      }),
      row({
        what: `${subject}, 95th percentile`,
        unit: 'ms',
        values: p95(times),
        floor: p95(floorTimes),
        goal: { of: 'median', atMost: goals.p95Ms },
      }),
    ];
  };
  return [
    ...rowsOf('a face', back.flat(), floor.flat()),
    ...rowsOf('the last face', slowest(back), slowest(floor)),
  ];
}

const slowest = (rounds: number[][]): number[] => rounds.map((times) => Math.max(...times));

const p95 = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1]!;
