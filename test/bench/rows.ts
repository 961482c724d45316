import { cpuSeconds, median, pssMb, startPressure } from './machine.ts';
import type { Latency, Watched } from './probe.ts';
import { machineMs } from './rpc.ts';
import { makeRoom, type BenchRoom } from './rooms.ts';
import type { Cast, Stage } from './stage.ts';

export type Row = {
  what: string;
  /** What the figure is of, when it is not the avatar. */
  whose?: string;
  avatar: string;
  floor: string;
  goal: string;
  isMet: boolean;
  /** A goal in milliseconds: met on a busy machine it is met, for there everything takes longer. One that compares says nothing then. */
  isAbsolute?: boolean;
  /** The processors' pressure, where only a part of the measure's time counts; else of all of it. */
  pressure?: number | null;
};
export type Measure = (stage: Stage) => Promise<Row[]>;

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const whole = (value: number) => `${Math.round(value)} ms`;
export const spread = (values: number[]) =>
  `${Math.round(median(values))} ms (${Math.round(Math.min(...values))}..${Math.round(Math.max(...values))})`;
const withoutBuffer = (all: Latency[]) =>
  median(all.map(({ heardMs, bufferMs }) => heardMs - bufferMs));

/** POST until a viewer, who is there already, has decoded the first frame. */
export const firstFrame: Measure = async (stage) => {
  const tries: Record<string, number[]> = { avatar: [], floor: [] };
  for (let i = 0; i < 12; i++) {
    for (const cast of i % 2 ? [stage.avatar, stage.floor] : [stage.floor, stage.avatar]) {
      const room = await stage.room();
      await pause(500);
      const seen = stage.probe.firstFrame(room);
      const [startedAt, seenAt] = await Promise.all([cast.start(room), seen]);
      // The first two only warm up.
      if (i >= 2) tries[cast.name]!.push(seenAt - startedAt);
      await leave(stage, cast, room);
    }
  }
  const ratio = median(tries['avatar']!) / median(tries['floor']!);
  return [
    {
      what: 'POST to first decoded frame, median of 10',
      avatar: `${spread(tries['avatar']!)} = ${ratio.toFixed(2)}x`,
      floor: spread(tries['floor']!),
      goal: '<= 1.4x floor',
      isMet: ratio <= 1.4,
    },
  ];
};

/** Speech through the avatar, over the same speech on a track of the agent's own. */
export const speechLatency: Measure = async (stage) => {
  const seats = await makeRoom(stage.service.mediaServer);
  const plain = withoutBuffer(await stage.probe.plainLatency(seats, 8));
  const added: Record<string, number[]> = {};
  for (const cast of [stage.floor, stage.avatar]) {
    const room = await begin(stage, cast);
    added[cast.name] = [];
    for (const pieceMs of [undefined, 20]) {
      const all: Latency[] = [];
      for (let i = 0; i < 8; i++) {
        all.push(await stage.probe.speechLatency(room, pieceMs, cast.hasFinished));
        await pause(500 + Math.random() * 200);
      }
      added[cast.name]!.push(withoutBuffer(all) - plain);
    }
    await leave(stage, cast, room);
  }
  return ['burst', 'paced'].map((how, i) => {
    const goal = i === 0 ? 30 : 75;
    return {
      what: `added latency of speech, ${how} (plain publisher ${whole(plain)}, jitter buffer taken out)`,
      avatar: whole(added['avatar']![i]!),
      floor: whole(added['floor']![i]!),
      goal: `<= ${goal} ms`,
      isMet: added['avatar']![i]! <= goal,
    };
  });
};

/** A track that the avatar says again, over the same track heard directly. It also waits in a jitter buffer of the worker's. */
export const trackLatency: Measure = async (stage) => {
  const seats = await makeRoom(stage.service.mediaServer);
  const plain = withoutBuffer(await stage.probe.plainLatency(seats, 8));
  const room = await begin(stage, stage.avatar);
  const added = withoutBuffer(await stage.probe.trackLatency(room, 8)) - plain;
  await leave(stage, stage.avatar, room);
  return [
    {
      what: `added latency of a plain track (itself ${whole(plain)}, the viewer's jitter buffer taken out)`,
      avatar: whole(added),
      floor: '-',
      goal: '-',
      isMet: true,
    },
  ];
};

/** The clear call until the last sound. */
export const clear: Measure = async (stage) => {
  const silence: Record<string, number> = {};
  let errors: number[] = [];
  for (const cast of [stage.floor, stage.avatar]) {
    const room = await begin(stage, cast);
    const all: (Latency & { positionErrorMs: number | null })[] = [];
    for (let i = 0; i < 8; i++) {
      all.push(await stage.probe.clearLatency(room, cast.hasFinished));
      await pause(500);
    }
    silence[cast.name] = withoutBuffer(all);
    if (cast.hasFinished) errors = all.map(({ positionErrorMs }) => positionErrorMs ?? Number.NaN);
    await leave(stage, cast, room);
  }
  return [
    {
      what: 'clear_buffer to silence, jitter buffer taken out',
      avatar: whole(silence['avatar']!),
      floor: whole(silence['floor']!),
      goal: '<= 60 ms',
      isMet: silence['avatar']! <= 60,
    },
    {
      what: 'position in playback_finished, minus what the viewer heard',
      avatar: spread(errors),
      floor: '-',
      goal: 'within 60 ms',
      isMet: Math.abs(median(errors)) <= 60,
    },
  ];
};

const LOAD_ROUNDS = 3;
/** A frame more or less at either end is a fortieth of a frame a second. */
const LOAD_SECONDS = 20;

/** Speaking sessions side by side: what the viewer gets and what it costs. */
export const load =
  (sessions: number): Measure =>
  async (stage) => {
    const seconds = LOAD_SECONDS;
    const cpu: Record<string, number[]> = { floor: [], avatar: [] };
    const seen: Record<string, Watched[]> = { floor: [], avatar: [] };
    const memory: Record<string, number> = {};
    const pressures: (number | null)[] = [];
    // In turns, so that both have the same machine.
    for (const cast of Array.from({ length: LOAD_ROUNDS }, () => [
      stage.floor,
      stage.avatar,
    ]).flat()) {
      const rooms = await Promise.all(Array.from({ length: sessions }, () => begin(stage, cast)));
      const pid = await cast.pid();
      await Promise.all(rooms.map((room) => stage.probe.speak(room, seconds + 10)));
      const usedBefore = await cpuSeconds(pid);
      const endPressure = await startPressure();
      const from = machineMs();
      const watched = rooms.map((room) => stage.probe.watch(room, seconds));
      seen[cast.name]!.push(...(await Promise.all(watched)));
      pressures.push(await endPressure());
      const used = (await cpuSeconds(pid)) - usedBefore;
      cpu[cast.name]!.push(used / ((machineMs() - from) / 1000) / sessions);
      memory[cast.name] = await pssMb(pid);
      await Promise.all(rooms.map((room) => leave(stage, cast, room)));
    }
    const core = (name: string) => median(cpu[name]!);
    const ratio = core('avatar') / core('floor');
    const fps = (name: string) => seen[name]!.map((each) => each.fps);
    const gap = (name: string) => Math.max(...seen[name]!.map((each) => each.longestGapMs));
    const lost = (name: string) =>
      Math.max(...seen[name]!.map((each) => each.concealedMs + each.silentMs));
    const at = `${sessions} session${sessions > 1 ? 's' : ''}`;
    const each = (memory['avatar']! / sessions).toFixed(0);
    const pressure = pressures.includes(null) ? null : median(pressures as number[]);
    const rows: Row[] = [
      {
        what: `fps at the viewer, ${at} (the slowest)`,
        avatar: Math.min(...fps('avatar')).toFixed(2),
        floor: Math.min(...fps('floor')).toFixed(2),
        goal: '25.0',
        isMet: Math.min(...fps('avatar')) >= 24.9,
      },
      {
        what: `longest time between frames, ${at}`,
        avatar: whole(gap('avatar')),
        floor: whole(gap('floor')),
        goal: '<= 120 ms',
        isMet: gap('avatar') <= 120,
      },
      {
        what: `sound lost in ${seconds} s, ${at} (the most of ${LOAD_ROUNDS} times)`,
        avatar: whole(lost('avatar')),
        floor: whole(lost('floor')),
        goal: '0',
        isMet: lost('avatar') < 1,
      },
      {
        what: `processor of a speaking session, ${at}`,
        avatar: `${core('avatar').toFixed(3)} core = ${ratio.toFixed(2)}x`,
        floor: `${core('floor').toFixed(3)} core`,
        goal: '<= 1.25x floor',
        isMet: ratio <= 1.25,
      },
      {
        what: `memory (PSS) of a session, ${at}, the whole process shared out`,
        avatar: `${each} MB`,
        floor: `${((memory['floor']! - stage.pictureMb) / sessions).toFixed(0)} MB`,
        goal: sessions >= 4 ? '<= 80 MB' : '-',
        isMet: sessions < 4 || memory['avatar']! / sessions <= 80,
      },
    ];
    return rows.map((row) => ({ ...row, pressure }));
  };

export async function begin(stage: Stage, cast: Cast): Promise<BenchRoom> {
  const room = await stage.room();
  const seen = stage.probe.firstFrame(room);
  await cast.start(room);
  await seen;
  await pause(3000);
  return room;
}

export async function leave(stage: Stage, cast: Cast, room: BenchRoom): Promise<void> {
  await cast.stop(room);
  await stage.probe.leave(room);
  await pause(300);
}
