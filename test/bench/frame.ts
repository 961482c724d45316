/*
 * npm run bench:frame -- [NAME]
 *
 * What a frame costs without room and encoder: one session speaks for a minute of media time. Prints time a frame, what opening costs and
 * memory. Each row is followed by the CPU pressure of its run: over 0.3 it proves nothing.
 */
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/shared/clock.ts';
import { type Bundle, openBundle } from '../../workers/avatar/bundle/open.ts';
import { BuiltInPerformer } from '../../workers/avatar/performer/built-in.ts';
import { memoryOf } from '../../workers/avatar/performer/face.ts';
import { HEARING_RATE } from '../../workers/avatar/performer/performer.ts';

const FRAME_MS = 40;
const FRAMES = 1500;
const FIRST_FRAMES = 200;

const name = process.argv[2] ?? 'nora';
const file = fileURLToPath(new URL(`../../workers/avatar/avatars/${name}.avatar`, import.meta.url));

const { bundle, openMs, longestStallMs } = await open();
console.log(`bundle      ${(statSync(file).size / 1e6).toFixed(2)} MB on disk`);
console.log(`open        ${openMs.toFixed(0)} ms, longest stall ${longestStallMs.toFixed(1)} ms`);
const before = systemClock.elapsed();
const memory = memoryOf(bundle.face);
console.log(`lay out     ${(systemClock.elapsed() - before).toFixed(0)} ms, once a process`);

frames('speaking', voice);
frames('idle', () => null);
const alone = memory.byteLength;
const others = [1, 2, 3, 4].map((i) => new BuiltInPerformer(bundle, { seed: `${i}` }));
console.log(
  `memory      face ${((alone + bytesOf(bundle)) / 1e6).toFixed(1)} MB, ` +
    `${((memory.byteLength - alone) / 3 / 1e6).toFixed(1)} MB for each further session`,
);
for (const performer of others) performer.close();
bundle.close();

async function open(): Promise<{ bundle: Bundle; openMs: number; longestStallMs: number }> {
  let longestStallMs = 0;
  let last = systemClock.elapsed();
  const watch = setInterval(() => {
    longestStallMs = Math.max(longestStallMs, systemClock.elapsed() - last);
    last = systemClock.elapsed();
  }, 1);
  const from = systemClock.elapsed();
  const bundle = await openBundle(file);
  const openMs = systemClock.elapsed() - from;
  clearInterval(watch);
  return { bundle, openMs, longestStallMs };
}

function frames(what: string, speech: (atMs: number) => Int16Array | null) {
  const { width, height } = bundle.face.manifest;
  const frame = new Uint8Array(width * height * 1.5);
  const performer = new BuiltInPerformer(bundle, { seed: 'bench' });
  const spent: number[] = [];
  let heardMs = 0;
  const pressureBefore = stalledMicroseconds();
  const from = systemClock.elapsed();
  for (let i = 0; i < FIRST_FRAMES + FRAMES; i++) {
    const at = i * FRAME_MS;
    const samples = speech(at);
    const start = systemClock.elapsed();
    if (samples) performer.hear(samples, at);
    const heard = systemClock.elapsed();
    performer.draw(at, frame);
    if (i < FIRST_FRAMES) continue;
    spent.push(systemClock.elapsed() - heard);
    heardMs += heard - start;
  }
  const pressure = (stalledMicroseconds() - pressureBefore) / 1000 / (systemClock.elapsed() - from);
  performer.close();

  spent.sort((one, other) => one - other);
  const at = (share: number) => spent[Math.floor(spent.length * share)]!.toFixed(3);
  console.log(
    `${what.padEnd(11)} draw median ${at(0.5)} ms, p10 ${at(0.1)}, p95 ${at(0.95)}, lip-sync mean ${(heardMs / FRAMES).toFixed(3)} ms ` +
      `(pressure ${pressure.toFixed(2)})`,
  );
}

/** Something like speech: a voice that comes and goes five times a second, now darker, now brighter. */
function voice(atMs: number): Int16Array {
  return Int16Array.from({ length: (HEARING_RATE * FRAME_MS) / 1000 }, (_, i) => {
    const t = atMs / 1000 + i / HEARING_RATE;
    const level = Math.max(0, Math.sin(2 * Math.PI * 5 * t)) * Math.max(0, Math.sin(t));
    const bright = 0.5 + 0.5 * Math.sin(2 * Math.PI * 1.3 * t);
    const tone = (hz: number) => Math.sin(2 * Math.PI * hz * t);
    return 6000 * level * (tone(130) + tone(650) * (1 - bright) + tone(2200) * bright * 0.5);
  });
}

function bytesOf({ face }: Bundle): number {
  const sprites = [...face.mouths, ...face.eyes].map(({ difference: { y, a, u, v } }) =>
    [y, a, u, v].reduce((sum, plane) => sum + (plane?.byteLength ?? 0), 0),
  );
  return face.background.length + 2.5 * face.base.y.length + sprites.reduce((s, b) => s + b, 0);
}

function stalledMicroseconds(): number {
  try {
    return Number(/total=(\d+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // Not on this system.
  }
}
