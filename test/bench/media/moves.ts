/* Sessions whose worker is stopped, silent or killed: how long their viewers wait. */
import { BotroomStage } from '../../stage/botroom-stage.ts';
import { runDrainCut } from '../../stage/drain-cut.ts';
import { HEARD_WITHIN_S } from '../../stage/tone-errors.ts';
import { SILENCES, SilentWorkerStage } from '../../stage/silent-worker.ts';
import { TwoWorkers } from '../../stage/two-workers.ts';
import { MOVING, NO_AGENTS, startService } from '../../support/processes/service.ts';
import type { Tools } from '../bench.ts';
import { row, type Row } from '../report/row.ts';

const TRIES = 3;
/** From the fault to the first frame of the worker that takes over. */
const BACK_MS = 4_000;

const start = (env: Record<string, string> = {}) =>
  startService({ env: { ...NO_AGENTS, ...MOVING, LOG_LEVEL: 'info', ...env } });

export async function pausedWorker({ say }: Tools): Promise<Row[]> {
  const stage = await SilentWorkerStage.open(await start({ WORKER_POOL: 'nobody' }), MOVING);
  try {
    const rows: Row[] = [];
    for (const silence of SILENCES) {
      const values: number[] = [];
      for (let i = 0; i < TRIES; i++) {
        const { takeover, brokenAt } = await stage.takeOver(silence);
        values.push(takeover.atMs - brokenAt);
        say(`${silence}: back after ${values.at(-1)!.toFixed(0)} ms`);
      }
      const subject = `a face is back after its worker is ${silence}, ${TRIES} times`;
      rows.push(row({ what: subject, unit: 'ms', values, goal: { of: 'worst', atMost: BACK_MS } }));
    }
    return rows;
  } finally {
    await stage.stop();
  }
}

export async function draining(): Promise<Row[]> {
  const workers = new TwoWorkers(await start());
  try {
    const { report, lastHeard } = await runDrainCut(workers);
    return [
      row({
        what: 'position reported of an utterance that a draining worker cuts, minus what its viewer heard',
        unit: 'ms',
        values: 1_000 * (report.playback_position - lastHeard),
        goal: { of: 'worst', within: 1_000 * HEARD_WITHIN_S },
      }),
    ];
  } finally {
    await workers.leave();
    await workers.service.stop();
  }
}

export async function botroomMoves(): Promise<Row[]> {
  const stage = new BotroomStage(await start());
  const silent: number[] = [];
  const away: number[] = [];
  const gaps: number[] = [];
  try {
    for (let i = 0; i < TRIES; i++) {
      const { client } = await stage.join();
      const { interruptedAt } = await stage.interrupt(client);
      silent.push(client.lastLoudAt - interruptedAt);
      await stage.empty();
    }
    for (let i = 0; i < TRIES; i++) {
      const { client } = await stage.join();
      await stage.startSecondWorker();
      const { killedAt } = await stage.killWorker(client);
      away.push(client.takeovers[0]! - killedAt);
      await stage.empty();
    }
    for (let i = 0; i < TRIES; i++) {
      const { client } = await stage.join();
      await stage.startSecondWorker();
      const { drainedAt } = await stage.drainWorker(client);
      gaps.push(client.longestGapMs(drainedAt));
      await stage.empty();
    }
  } finally {
    await stage.service.stop();
  }
  return [
    row({
      what: `last sound after an interruption in a botroom, ${TRIES} times`,
      unit: 'ms',
      values: silent,
      goal: { of: 'worst', atMost: 150 },
      note: "at the client, its socket's buffers included",
    }),
    row({
      what: `first picture of another worker after a kill -9 in a botroom, ${TRIES} times`,
      unit: 'ms',
      values: away,
      goal: { of: 'worst', atMost: 2_000 },
    }),
    row({
      what: `longest time without a record while a botroom's worker drains, ${TRIES} times`,
      unit: 'ms',
      values: gaps,
      goal: { of: 'worst', atMost: 120 },
    }),
  ];
}
