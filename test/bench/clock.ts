/* Picture and sound on one clock: a marker face instead of the avatar, which is bright while it takes speech to sound. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Assigner } from './assigner.ts';
import { median } from './machine.ts';
import type { Offsets } from './probe.ts';
import type { BenchRoom } from './rooms.ts';
import { pause, spread, type Measure, type Row } from './rows.ts';
import type { Stage } from './stage.ts';
import { slope, type Point } from './trend.ts';

const BEEPS = 20;
const DRIFT_MINUTES = 30;
const STALL_MS = 500;

type Marker = { pid: number; offsets: () => Promise<Offsets> };

async function withMarker(
  stage: Stage,
  measure: (marker: Marker) => Promise<Row[]>,
): Promise<Row[]> {
  const assigner = new Assigner();
  const url = await assigner.listen();
  const worker = fork(fileURLToPath(new URL('marker-worker.ts', import.meta.url)), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, CONTROL_URL: url, WORKER_TOKEN: 'bench', LOG_LEVEL: 'warn' },
  });
  const room = await stage.room();
  try {
    await perform(stage, assigner, room);
    return await measure({
      pid: worker.pid!,
      offsets: () => stage.probe.offsets(room, BEEPS),
    });
  } finally {
    worker.kill('SIGINT');
    await stage.probe.leave(room);
    assigner.close();
  }
}

async function perform({ probe }: Stage, assigner: Assigner, room: BenchRoom): Promise<void> {
  const seen = probe.firstFrame(room);
  await assigner.assign({
    placement: { sessionId: room.id, epoch: 1 },
    room: { url: room.url, token: room.avatarToken },
    avatarId: 'marker',
  });
  await seen;
  await pause(2000);
}

export const offset: Measure = (stage) =>
  withMarker(stage, async ({ offsets }) => {
    const { offsetsMs } = await offsets();
    return [
      {
        what: 'picture after sound at the viewer (a frame is 40 ms)',
        avatar: spread(offsetsMs),
        floor: '-',
        goal: 'median within +-20 ms',
        isMet: Math.abs(median(offsetsMs)) <= 20,
      },
    ];
  });

/**
 * Takes half an hour: only when it is asked for by name. A viewer's jitter buffers grow and shrink with what the network does, and move the
 * sound against the picture by more than what is looked for: what they hold back is taken out.
 */
export const drift: Measure = (stage) =>
  withMarker(stage, async ({ offsets }) => {
    const plain: number[] = [];
    const points: Point[] = [];
    const from = performance.now();
    for (let at = 0; at < DRIFT_MINUTES; at = (performance.now() - from) / 60_000) {
      const { offsetsMs, heldBackMs } = await offsets();
      plain.push(median(offsetsMs));
      points.push({ at, value: plain.at(-1)! + heldBackMs });
    }
    const drifted = slope(points) * DRIFT_MINUTES;
    return [
      {
        what: `picture after sound, drift in ${DRIFT_MINUTES} minutes, jitter buffers taken out`,
        avatar: `${drifted.toFixed(1)} ms (${BEEPS} beeps at a time ${spread(points.map(({ value }) => value))}, with the buffers ${spread(plain)})`,
        floor: '-',
        goal: 'within +-5 ms',
        isMet: Math.abs(drifted) <= 5,
      },
    ];
  });

/** The worker's whole process stands still in the middle of speech. */
export const stall: Measure = (stage) =>
  withMarker(stage, async ({ pid, offsets }) => {
    const before = median((await offsets()).offsetsMs);
    const during = offsets();
    await pause(3000);
    process.kill(pid, 'SIGSTOP');
    await pause(STALL_MS);
    process.kill(pid, 'SIGCONT');
    await during;
    const soon = median((await offsets()).offsetsMs);
    // A viewer's jitter buffer remembers a gap for some time, and holds the sound back meanwhile.
    for (let i = 0; i < 2; i++) await offsets();
    const later = median((await offsets()).offsetsMs);
    return [
      {
        what: `picture after sound, after the worker stood still for ${STALL_MS} ms`,
        avatar: `${Math.round(later)} ms a minute later (soon ${Math.round(soon)} ms, before ${Math.round(before)} ms)`,
        floor: '-',
        goal: 'median within +-20 ms',
        isMet: Math.abs(later) <= 20,
      },
    ];
  });
