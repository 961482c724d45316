/*
 * Synchronisation of picture and sound, measured with a marker picture that is bright while the
 * worker considers speech audible.
 */
import { fork } from 'node:child_process';
import { HandGateway } from '../../support/fleet/hand-gateway.ts';
import { until } from '../../support/until.ts';
import { median } from '../machine.ts';
import type { Offsets } from './probe.ts';
import type { Measure } from '../bench.ts';
import { pause } from '../pause.ts';
import type { BenchRoom } from './rooms.ts';
import { row, type Row } from '../report/row.ts';
import type { Stage } from '../stage.ts';
import { slope, type Point } from '../report/trend.ts';

const BEEPS = 20;
const DRIFT_MINUTES = 30;
const STALL_MS = 500;

type Marker = { pid: number; offsets: () => Promise<Offsets> };

async function withMarker(
  stage: Stage,
  measure: (marker: Marker) => Promise<Row[]>,
): Promise<Row[]> {
  const gateway = new HandGateway();
  const url = `http://127.0.0.1:${await gateway.listen()}`;
  const worker = fork(new URL('./marker-worker.ts', import.meta.url), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, CONTROL_URL: url, WORKER_TOKEN: 'bench', LOG_LEVEL: 'warn' },
  });
  const room = await stage.room();
  try {
    await perform(stage, gateway, room);
    return await measure({
      pid: worker.pid!,
      offsets: () => stage.probe.offsets(room, BEEPS),
    });
  } finally {
    worker.kill('SIGINT');
    await stage.probe.leave(room);
    await gateway.close();
  }
}

async function perform({ probe }: Stage, gateway: HandGateway, room: BenchRoom): Promise<void> {
  await until(() => gateway.messagesOf('register').length > 0);
  gateway.say({ type: 'registered', pingEveryMs: 60_000 });
  const firstFrame = probe.firstFrame(room);
  gateway.say({
    type: 'assign',
    transport: 'mediaserver',
    placement: { sessionId: room.id, epoch: 1 },
    room: { url: room.url, token: room.avatarToken },
    avatarId: 'marker',
    video: { width: 512, height: 512, fps: 25 },
  });
  await firstFrame;
  // Otherwise the worker repeats its report.
  await until(() => gateway.messagesOf('started').length > 0);
  for (const { id } of gateway.messagesOf('started')) gateway.say({ type: 'ack', id });
  await pause(2000);
}

export const offset: Measure = (stage) =>
  withMarker(stage, async ({ offsets }) => {
    const { offsetsMs } = await offsets();
    return [
      row({
        what: `picture after sound at the viewer, ${BEEPS} beeps`,
        unit: 'ms',
        values: offsetsMs,
        goal: { of: 'median', within: 20 },
        note: 'a frame is 40 ms',
      }),
    ];
  });

/**
 * Takes half an hour, so it runs only when named. A viewer's jitter buffers vary with the network
 * and shift the sound against the picture by more than the expected drift, so their delay is
 * subtracted.
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
      row({
        what: `picture after sound, drift in ${DRIFT_MINUTES} minutes`,
        unit: 'ms',
        values: drifted,
        goal: { of: 'median', within: 5 },
        note: "the viewer's jitter buffers are taken out",
      }),
      row({
        what: `picture after sound, ${BEEPS} beeps at a time, without jitter buffers`,
        unit: 'ms',
        values: points.map(({ value }) => value),
      }),
      row({
        what: `picture after sound, ${BEEPS} beeps at a time, with jitter buffers`,
        unit: 'ms',
        values: plain,
      }),
    ];
  });

/** Pauses the worker's process in the middle of speech. */
export const stall: Measure = (stage) =>
  withMarker(stage, async ({ pid, offsets }) => {
    const offsetsBefore = (await offsets()).offsetsMs;
    const during = offsets();
    await pause(3000);
    process.kill(pid, 'SIGSTOP');
    await pause(STALL_MS);
    process.kill(pid, 'SIGCONT');
    await during;
    const soon = (await offsets()).offsetsMs;
    // A viewer's jitter buffer adapts to the gap and delays the sound for some time.
    for (let i = 0; i < 2; i++) await offsets();
    const later = (await offsets()).offsetsMs;
    const subject = 'picture after sound,';
    const stood = `the worker stood still for ${STALL_MS} ms`;
    return [
      row({ what: `${subject} before ${stood}`, unit: 'ms', values: offsetsBefore }),
      row({ what: `${subject} just after ${stood}`, unit: 'ms', values: soon }),
      row({
        what: `${subject} a minute after ${stood}`,
        unit: 'ms',
        values: later,
        goal: { of: 'median', within: 20 },
      }),
    ];
  });
