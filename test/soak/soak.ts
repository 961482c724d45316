/* One soak: sessions that speak, and disturbances by plan. */
import { delay, systemClock } from '#shared/clock.ts';
import { until } from '../support/until.ts';
import { clockJump, IdleSockets, load, malformed, nameFailure } from './disturbances.ts';
import { judgeMemory, judgeSockets } from './footprint.ts';
import { allOf, atMost, without, type Outcome } from './outcomes.ts';
import type { Plan } from './plan.ts';
import { Pulse } from './pulse.ts';
import { Speakers } from './speakers.ts';
import { SoakStage } from './stage.ts';

export type Size = { sessions: number; perSecond: number; sockets: number };

/** Sessions open at the same time beside the speaking ones. */
const MORE_SESSIONS = 2;
const SETTLED_MS = 30_000;
/** The media engine keeps the connections of a room that was left for some seconds. */
const LEFT_MS = 20_000;

export async function soak(
  plan: Plan,
  { sessions, perSecond, sockets }: Size,
  say: (line: string) => void,
): Promise<Outcome[]> {
  const stage = await SoakStage.open(sessions + MORE_SESSIONS);
  const speakers = new Speakers(stage);
  const pulse = new Pulse(stage.url);
  const beganMs = performance.now();
  const report = (event: string) => {
    const seconds = Math.round((performance.now() - beganMs) / 1_000);
    say(`${String(seconds).padStart(5)} s  ${event}; ${speakers.finished} utterances so far`);
  };
  try {
    const idleStart = await footprintsOf(stage);
    await speakers.open(sessions);
    report(`${sessions} sessions speak`);
    const openedMs = performance.now();
    const at = async (dueMs: number, event: string) => {
      await delay(systemClock, Math.max(0, openedMs + dueMs - performance.now()));
      report(event);
    };
    await at(plan.measuredAtMs, 'memory is measured');
    const loadedStart = await footprintsOf(stage);
    await at(plan.socketsAtMs, `${sockets} idle sockets open, and slow ones`);
    const waiting = await IdleSockets.open(stage, sockets);
    await at(plan.loadAtMs, `${perSecond} requests a second for ${plan.loadSeconds} s`);
    const outcomes = await load(stage, perSecond, plan.loadSeconds);
    await at(plan.malformedAtMs, 'malformed requests and frames');
    outcomes.push(...(await malformed(stage)));
    outcomes.push(...(await waiting.end()));
    await at(plan.namesAtMs, 'names cannot be resolved');
    outcomes.push(...(await nameFailure(stage)));
    await at(plan.clockAtMs, 'the clock jumps');
    outcomes.push(...(await clockJump(stage)));
    await delay(systemClock, LEFT_MS);
    await at(plan.endsAtMs, 'memory is measured again');
    const loadedEnd = await footprintsOf(stage);
    await speakers.stop();
    await pulse.stop();
    outcomes.unshift(...(await speakers.outcomes()), ...pulse.outcomes());
    await speakers.end();
    report('all sessions are ended');
    await delay(systemClock, LEFT_MS);
    const idleEnd = await footprintsOf(stage);
    for (const [i, { name }] of stage.processes.entries()) {
      outcomes.push(...judgeMemory(name, loadedStart[i]!, loadedEnd[i]!));
      outcomes.push(judgeSockets(name, idleStart[i]!, idleEnd[i]!));
    }
    return [...outcomes, ...(await remains(stage))];
  } finally {
    await pulse.stop();
    await speakers.stop();
    await speakers.leave();
    await stage.close();
  }
}

const footprintsOf = (stage: SoakStage) =>
  Promise.all(stage.processes.map((process) => process.footprint()));

/** After the last session: nothing is left, and the workers exit as they should. */
async function remains(stage: SoakStage): Promise<Outcome[]> {
  const leftovers = async () => {
    const { leases, sessions, rows, rooms, agrees } = await stage.audit();
    return leases + sessions + rows + (rooms ?? Number.NaN) + (agrees ? 0 : 1);
  };
  await until(async () => (await leftovers()) === 0, SETTLED_MS).catch(() => {});
  const count = await leftovers();
  const codes = await stage.stopWorkers();
  return [
    atMost('slots, sessions, rows and rooms that are left', count, 0),
    allOf('workers that exit with 0', codes.filter((code) => code === 0).length, codes.length),
    without('the control plane still answers', (await isUp(stage.url)) ? [] : ['no']),
  ];
}

const isUp = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
