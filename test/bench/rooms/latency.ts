import type { Measure } from '../bench.ts';
import { median } from '../machine.ts';
import { pause } from '../pause.ts';
import type { Latency } from './probe.ts';
import { makeRoom } from './rooms.ts';
import { row } from '../report/row.ts';
import type { Stage } from '../stage.ts';

const ROUNDS = 8;

export const withoutBuffer = ({ heardMs, bufferMs }: Latency) => heardMs - bufferMs;

/** Latency of a plain publisher, caused by the room itself. */
export async function plainMs({ probe, service }: Stage): Promise<number> {
  const room = await makeRoom(service.mediaServer);
  return median((await probe.plainLatency(room, ROUNDS)).map(withoutBuffer));
}

const plainNote = (ms: number) =>
  `over a plain publisher, which takes ${Math.round(ms)} ms; the viewer's jitter buffer is subtracted`;

/** From the POST until a viewer that has already joined has decoded the first frame. */
export const firstFrame: Measure = async (stage) => {
  const tries: Record<string, number[]> = { avatar: [], floor: [] };
  for (let i = 0; i < 12; i++) {
    for (const cast of i % 2 ? [stage.avatar, stage.floor] : [stage.floor, stage.avatar]) {
      const room = await stage.room();
      await pause(500);
      const firstFrame = stage.probe.firstFrame(room);
      const [startedAt, seenAt] = await Promise.all([cast.start(room), firstFrame]);
      // The first two are warm-up.
      if (i >= 2) tries[cast.name]!.push(seenAt - startedAt);
      await stage.leave(cast, room);
    }
  }
  return [
    row({
      what: 'POST to the first decoded frame, 10 times',
      unit: 'ms',
      values: tries['avatar']!,
      floor: tries['floor']!,
      goal: { of: 'ratio', atMost: 1.4 },
    }),
  ];
};

/** Speech through the avatar, compared with the same speech on the agent's own track. */
export const speechLatency: Measure = async (stage) => {
  const plain = await plainMs(stage);
  const modes = [
    { mode: 'sent at once', pieceMs: undefined, atMost: 30 },
    { mode: 'sent at its own pace', pieceMs: 20, atMost: 75 },
  ];
  const added: Record<string, number[][]> = {};
  for (const cast of [stage.floor, stage.avatar]) {
    const room = await stage.begin(cast);
    added[cast.name] = [];
    for (const { pieceMs } of modes) {
      const latencies: number[] = [];
      for (let i = 0; i < ROUNDS; i++) {
        const latency = await stage.probe.speechLatency(room, pieceMs, cast.hasFinished);
        latencies.push(withoutBuffer(latency) - plain);
        await pause(500 + Math.random() * 200);
      }
      added[cast.name]!.push(latencies);
    }
    await stage.leave(cast, room);
  }
  return modes.map(({ mode, atMost }, i) =>
    row({
      what: `added latency of speech ${mode}, ${ROUNDS} times`,
      unit: 'ms',
      values: added['avatar']![i]!,
      floor: added['floor']![i]!,
      goal: { of: 'median', atMost },
      note: plainNote(plain),
    }),
  );
};

/**
 * A track replayed by the avatar, compared with the same track heard directly. Includes the
 * worker's jitter buffer.
 */
export const trackLatency: Measure = async (stage) => {
  const plain = await plainMs(stage);
  const room = await stage.begin(stage.avatar);
  const latencies = await stage.probe.trackLatency(room, ROUNDS);
  await stage.leave(stage.avatar, room);
  return [
    row({
      what: `added latency of a plain track, ${ROUNDS} times`,
      unit: 'ms',
      values: latencies.map((latency) => withoutBuffer(latency) - plain),
      note: plainNote(plain),
    }),
  ];
};

/** From the clear call until the last sound. */
export const clear: Measure = async (stage) => {
  const silence: Record<string, number[]> = { avatar: [], floor: [] };
  const errors: number[] = [];
  for (const cast of [stage.floor, stage.avatar]) {
    const room = await stage.begin(cast);
    for (let i = 0; i < ROUNDS; i++) {
      const latency = await stage.probe.clearLatency(room, cast.hasFinished);
      silence[cast.name]!.push(withoutBuffer(latency));
      if (cast.hasFinished) errors.push(latency.positionErrorMs ?? Number.NaN);
      await pause(500);
    }
    await stage.leave(cast, room);
  }
  return [
    row({
      what: `clear_buffer to silence, ${ROUNDS} times`,
      unit: 'ms',
      values: silence['avatar']!,
      floor: silence['floor']!,
      goal: { of: 'median', atMost: 60 },
      note: "the viewer's jitter buffer is subtracted",
    }),
    row({
      what: 'position in playback_finished, minus what the viewer heard',
      unit: 'ms',
      values: errors,
      goal: { of: 'median', within: 60 },
    }),
  ];
};
