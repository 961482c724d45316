/*
 * Agent and viewer of the rooms that are measured, in a process of their own. A room is named by the avatar's token.
 */
import { Agent } from './agent.ts';
import { answer, machineMs } from './rpc.ts';
import { babble, beeps } from './speech.ts';
import { Viewer } from './viewer.ts';

export type Seats = { url: string; agentToken: string; viewerToken: string; avatar: string };
export type Latency = { heardMs: number; bufferMs: number };
export type Watched = {
  seconds: number;
  fps: number;
  longestGapMs: number;
  concealedMs: number;
  silentMs: number;
};

/** What most speech synthesisers make. */
const RATE = 24_000;
const rooms = new Map<string, { agent: Agent; viewer: Viewer }>();

const roomOf = ({ id }: { id: string }) => rooms.get(id)!;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function join({ id, url, agentToken, viewerToken, avatar }: Seats & { id: string }) {
  const agent = new Agent(avatar);
  const viewer = new Viewer(avatar);
  await agent.join(url, agentToken);
  await viewer.join(url, viewerToken);
  rooms.set(id, { agent, viewer });
}

async function leave(room: { id: string }): Promise<void> {
  const { agent, viewer } = roomOf(room);
  rooms.delete(room.id);
  await viewer.leave();
  await agent.leave();
}

const firstFrame = (room: { id: string }): Promise<number> => roomOf(room).viewer.nextFrame();

async function untilSound(
  viewer: Viewer,
  start: () => Promise<{ startedMs: number; sent: Promise<void> }>,
): Promise<Latency> {
  const heard = viewer.untilLoud();
  const before = await viewer.audioStats();
  const { startedMs, sent } = await start();
  const heardAt = await heard;
  const after = await viewer.audioStats();
  await sent;
  return { heardMs: heardAt - startedMs, bufferMs: bufferMs(before, after) };
}

type Stats = Awaited<ReturnType<Viewer['audioStats']>>;

/** How long a sample waited in the viewer's jitter buffer, on average, in between. */
const bufferMs = (before: Stats, after: Stats): number =>
  after.emitted === before.emitted
    ? 0
    : ((after.delayS - before.delayS) / (after.emitted - before.emitted)) * 1000;

/** From the first byte that the agent sends until the viewer hears it. */
async function speechLatency(room: {
  id: string;
  pieceMs?: number;
  hasFinished: boolean;
}): Promise<Latency> {
  const { agent, viewer } = roomOf(room);
  const finished = room.hasFinished ? agent.nextFinished() : pause(1300);
  const latency = await untilSound(viewer, () => agent.say(babble(RATE, 900), RATE, room.pieceMs));
  await finished;
  await viewer.untilSilent(300);
  return latency;
}

/** The same sound on a track of the agent's own. */
async function plainLatency({
  url,
  agentToken,
  viewerToken,
  tries,
}: Seats & { tries: number }): Promise<Latency[]> {
  const agent = new Agent('nobody');
  const viewer = new Viewer('agent');
  await agent.join(url, agentToken);
  await viewer.join(url, viewerToken);
  await agent.openMouth();
  const stop = agent.breathe();
  await pause(3000);
  const all: Latency[] = [];
  for (let i = 0; i < tries; i++) {
    all.push(await untilSound(viewer, () => agent.sayPlainly(babble(48_000, 900))));
    await viewer.untilSilent(300);
    await pause(500 + Math.random() * 200);
  }
  stop();
  await viewer.leave();
  await agent.leave();
  return all;
}

/** From the call until the last sound; and whether the finished event was true. */
async function clearLatency(room: {
  id: string;
  hasFinished: boolean;
}): Promise<Latency & { positionErrorMs: number | null }> {
  const { agent, viewer } = roomOf(room);
  const heard = viewer.untilLoud();
  const { sent } = await agent.say(babble(RATE, 10_000), RATE);
  const heardAt = await heard;
  await sent;
  await pause(1500 + Math.random() * 100);
  const before = await viewer.audioStats();
  const silent = viewer.untilSilent(300);
  const finished = room.hasFinished ? agent.nextFinished() : null;
  const calledAt = machineMs();
  await agent.clear();
  const silentAt = await silent;
  const after = await viewer.audioStats();
  const event = await finished;
  return {
    heardMs: silentAt - calledAt,
    bufferMs: bufferMs(before, after),
    positionErrorMs: event ? event.playback_position * 1000 - (silentAt - heardAt) : null,
  };
}

/** Speaks for `seconds` and watches. */
async function watch(room: { id: string; seconds: number }): Promise<Watched> {
  const { agent, viewer } = roomOf(room);
  const heard = viewer.untilLoud();
  // Longer than is watched: a clear ends it.
  const { sent } = await agent.say(babble(RATE, (room.seconds + 10) * 1000), RATE);
  await heard;
  await sent;
  // What sending so much at once has set off is over.
  await pause(3000);
  viewer.frames = [];
  viewer.sound = [];
  const before = await viewer.audioStats();
  const from = machineMs();
  await pause(room.seconds * 1000);
  const until = machineMs();
  const after = await viewer.audioStats();
  const times = viewer.frames.map(({ atMs }) => atMs);
  const gaps = times.slice(1).map((at, i) => at - times[i]!);
  const silent = viewer.sound.filter(({ peak }) => peak < 200).length;
  await agent.clear();
  await viewer.untilSilent(300);
  return {
    seconds: (until - from) / 1000,
    fps: (times.length - 1) / ((times.at(-1)! - times[0]!) / 1000),
    longestGapMs: Math.max(...gaps),
    concealedMs: (after.concealed - before.concealed) / 48,
    silentMs: silent * 10,
  };
}

/** Beeps, and the time from each one's first sound to the first bright frame (a marker face shows what it hears). */
async function offsets(room: { id: string; count: number }): Promise<number[]> {
  const { agent, viewer } = roomOf(room);
  viewer.sound = [];
  viewer.frames = [];
  const { sent } = await agent.say(beeps(RATE, room.count * 1000), RATE);
  await sent;
  await pause(room.count * 1000 + 1000);
  return edges(
    viewer.sound.map(
      ({ atMs, firstLoudMs }) => [firstLoudMs ?? atMs, firstLoudMs !== null] as const,
    ),
  )
    .map((soundAt) => {
      const lit = edges(viewer.frames.map(({ atMs, light }) => [atMs, light > 128] as const));
      return lit
        .map((at) => at - soundAt)
        .reduce((least, off) => (Math.abs(off) < Math.abs(least) ? off : least), Infinity);
    })
    .slice(1);
}

/** When it becomes true after it was false for 200 ms. */
function edges(series: (readonly [number, boolean])[]): number[] {
  const found: number[] = [];
  let lastTrue = -Infinity;
  for (const [at, isOn] of series) {
    if (isOn && at - lastTrue > 200) found.push(at);
    if (isOn) lastTrue = at;
  }
  return found;
}

answer({ join, leave, firstFrame, speechLatency, plainLatency, clearLatency, watch, offsets });
