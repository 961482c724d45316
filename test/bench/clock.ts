/* Picture and sound on one clock: a marker face instead of the avatar, which is bright while it takes speech to sound. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Assigner } from './assigner.ts';
import { median } from './machine.ts';
import type { BenchRoom } from './rooms.ts';
import { pause, spread, type Measure, type Row } from './rows.ts';
import type { Stage } from './stage.ts';

const BEEPS = 20;
const DRIFT_MINUTES = 30;
const STALL_MS = 500;

/** Picture after sound at the viewer, in milliseconds, one for each beep. */
type Marker = { pid: number; offsets: () => Promise<number[]> };

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
    const all = await offsets();
    return [
      {
        what: 'picture after sound at the viewer (a frame is 40 ms)',
        avatar: spread(all),
        floor: '-',
        goal: 'median within +-20 ms',
        isMet: Math.abs(median(all)) <= 20,
      },
    ];
  });

/** Takes half an hour: only when it is asked for by name. */
export const drift: Measure = (stage) =>
  withMarker(stage, async ({ offsets }) => {
    const medians: number[] = [];
    const from = performance.now();
    while (performance.now() - from < DRIFT_MINUTES * 60_000) medians.push(median(await offsets()));
    const early = median(medians.slice(0, 5));
    const late = median(medians.slice(-5));
    return [
      {
        what: `picture after sound, last minutes of ${DRIFT_MINUTES} over the first`,
        avatar: `${Math.round(late - early)} ms (each minute's median ${spread(medians)})`,
        floor: '-',
        goal: 'within +-5 ms',
        isMet: Math.abs(late - early) <= 5,
      },
    ];
  });

/** The worker's whole process stands still in the middle of speech. */
export const stall: Measure = (stage) =>
  withMarker(stage, async ({ pid, offsets }) => {
    const before = median(await offsets());
    const during = offsets();
    await pause(3000);
    process.kill(pid, 'SIGSTOP');
    await pause(STALL_MS);
    process.kill(pid, 'SIGCONT');
    await during;
    const soon = median(await offsets());
    // A viewer's jitter buffer remembers a gap for some time, and holds the sound back meanwhile.
    for (let i = 0; i < 2; i++) await offsets();
    const later = median(await offsets());
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
