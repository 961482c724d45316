import { chance, wander } from './chance.ts';
import type { Pose } from './pose.ts';

/** The idle animation at one time. */
export type Life = {
  pose: Pose;
  /** 0 open .. 1 closed. */
  lids: number;
  /** -1 far to the picture's left, 0 at the viewer, 1 far to its right. */
  gaze: number;
  /** 0 at rest .. 1 raised. */
  brows: number;
};

// Random streams; each animation derives others by adding multiples of 20.
const YAW = 0;
const PITCH = 1;
const ROLL = 2;
const SWAY = 3;
const BLINK = 4;
const GAZE = 5;
const BROWS = 6;
const TEMPO = 7;
const NODS = 8;

/** The largest rotation without visible artefacts, in degrees. */
const MOST = { yaw: 4, pitch: 3, roll: 2 };

/** Degree of speaking and listening, 0..1, smoothed by the caller. */
export type Activity = { speech: number; listening: number };

export const IDLE: Activity = { speech: 0, listening: 0 };

/**
 * Blinks, gaze, brows, breath and head movement. Pure: late frames are right, and sessions with
 * different seeds move differently.
 */
export function lifeAt(seed: number, atMs: number, activity: Activity): Life {
  const tempo = 0.85 + 0.3 * chance(seed, TEMPO, 0);
  const at = atMs * tempo;
  return {
    pose: poseAt(seed, at, activity),
    lids: lidsAt(seed, at),
    gaze: gazeAt(seed, at, activity),
    brows: browsAt(seed, at, activity),
  };
}

function poseAt(seed: number, at: number, { speech, listening }: Activity): Pose {
  // Speech makes all movements larger.
  const amplitude = 0.75 + 0.95 * speech;
  const yaw = 2.6 * wander(seed, YAW, at, 2600) + 0.7 * wander(seed, YAW + 20, at, 900);
  const pitch = 1.5 * wander(seed, PITCH, at, 2300) + 0.4 * wander(seed, PITCH + 20, at, 800);
  const roll = 1.3 * wander(seed, ROLL, at, 3100);
  // Speakers nod with stressed words and listeners in acknowledgement; an interrupted speaker does
  // a little of both. With all other movements, the head nods by at most 0.6 degrees a frame.
  const stresses = 1.15 * speech * wander(seed, PITCH + 40, at, 510);
  const nod = stresses + listening * (1 - speech) * nodAt(seed, at);
  const breathing = Math.sin((2 * Math.PI * at) / 4100 + 7 * chance(seed, SWAY, -2));
  return {
    yaw: soft(yaw * amplitude, MOST.yaw),
    pitch: soft(pitch * amplitude + nod + 0.2 * breathing, MOST.pitch),
    // Listeners tilt their head slightly.
    roll: soft(roll * amplitude + 0.8 * listening * sideOf(seed), MOST.roll),
    shiftX: 2.2 * wander(seed, SWAY, at, 3600) * amplitude,
    shiftY: 1.1 * wander(seed, SWAY + 20, at, 3300),
    breath: 1.3 * breathing,
  };
}

const NOD_EVERY_MS = 2900;
const NOD_MS = 420;

/** A listener's nod in degrees down: in some intervals, once or twice. */
function nodAt(seed: number, at: number): number {
  const interval = Math.floor(at / NOD_EVERY_MS);
  if (chance(seed, NODS, interval) > 0.6) return 0;
  const since = at - (interval + 0.4 * chance(seed, NODS + 20, interval)) * NOD_EVERY_MS;
  const count = chance(seed, NODS + 40, interval) < 0.4 ? 2 : 1;
  if (since < 0 || since > count * NOD_MS) return 0;
  return 0.65 * (1 - Math.cos((2 * Math.PI * since) / NOD_MS));
}

const sideOf = (seed: number) => (chance(seed, ROLL, -2) < 0.5 ? -1 : 1);

/** Saturates smoothly at ±`most`. */
const soft = (value: number, most: number) => most * Math.tanh(value / most);

const BLINK_EVERY_MS = 3600;
const CLOSING_MS = 80;
const CLOSED_MS = 60;
const OPENING_MS = 140;
const BLINK_MS = CLOSING_MS + CLOSED_MS + OPENING_MS;

/** One blink per interval, occasionally two. */
function lidsAt(seed: number, at: number): number {
  const interval = Math.floor(at / BLINK_EVERY_MS);
  const beginsAt = (interval + 0.05 + 0.7 * chance(seed, BLINK, interval)) * BLINK_EVERY_MS;
  const firstBlink = blink(at - beginsAt);
  const isTwice = chance(seed, BLINK + 20, interval) < 0.14;
  return isTwice ? Math.max(firstBlink, blink(at - beginsAt - BLINK_MS - 90)) : firstBlink;
}

function blink(since: number): number {
  if (since <= 0 || since >= BLINK_MS) return 0;
  if (since < CLOSING_MS) return since / CLOSING_MS;
  return Math.min(1, (BLINK_MS - since) / OPENING_MS);
}

const GAZE_EVERY_MS = 4300;
/** Share of wide glances. The others are half as wide. */
const FAR_GLANCES = 0.35;

/** Occasional glances aside: fewer while speaking, fewest while listening. */
function gazeAt(seed: number, at: number, { speech, listening }: Activity): number {
  const interval = Math.floor(at / GAZE_EVERY_MS);
  if (chance(seed, GAZE, interval) > 0.42 - 0.2 * speech - 0.3 * listening) return 0;
  const beginsAt = (interval + 0.1 + 0.5 * chance(seed, GAZE + 20, interval)) * GAZE_EVERY_MS;
  const lasts = 450 + 700 * chance(seed, GAZE + 40, interval);
  if (at < beginsAt || at > beginsAt + lasts) return 0;
  const far = chance(seed, GAZE + 80, interval) < FAR_GLANCES ? 1 : 0.5;
  return chance(seed, GAZE + 60, interval) < 0.5 ? -far : far;
}

const BROWS_EVERY_MS = 1700;
const RAISING_MS = 120;

/** Raises the brows briefly: often while speaking, as stress, and occasionally while listening. */
function browsAt(seed: number, at: number, { speech, listening }: Activity): number {
  const interval = Math.floor(at / BROWS_EVERY_MS);
  if (chance(seed, BROWS, interval) > 0.6 * speech + 0.15 * listening) return 0;
  const height = chance(seed, BROWS + 60, interval) < 0.5 ? 0.67 : 1;
  const beginsAt = (interval + 0.4 * chance(seed, BROWS + 20, interval)) * BROWS_EVERY_MS;
  const elapsedMs = at - beginsAt;
  const remainingMs = beginsAt + 320 + 480 * chance(seed, BROWS + 40, interval) - at;
  return height * Math.max(0, Math.min(1, elapsedMs / RAISING_MS, remainingMs / RAISING_MS));
}
