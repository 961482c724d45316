/*
 * `npm run bench [-- NAME ...]`: the figures that a session is judged by, each beside a floor measured in the same run.
 */
import { apiOnPostgres, apiOnSqlite } from './api.ts';
import { drift, offset, stall } from './clock.ts';
import { density } from './density.ts';
import { realSessions, simulatedSessions } from './endurance.ts';
import { controlRestart, failoverToNew, failoverToSpare, handOver } from './faults.ts';
import { fleet, smallFleet } from './fleet.ts';
import { knowledge } from './knowledge.ts';
import { lipSync } from './lipsync.ts';
import { PRESSURE_MAX, startPressure } from './machine.ts';
import { render } from './render.ts';
import {
  clear,
  firstFrame,
  load,
  speechLatency,
  trackLatency,
  type Measure,
  type Row,
} from './rows.ts';
import { Stage } from './stage.ts';

const stages: Stage[] = [];
/** With the whole service, which is started once. */
const onStage = (measure: Measure) => async () => {
  if (stages.length === 0) stages.push(await Stage.open());
  return measure(stages[0]!);
};

const measures: Record<string, () => Promise<Row[]>> = {
  'first-frame': onStage(firstFrame),
  speech: onStage(speechLatency),
  track: onStage(trackLatency),
  clear: onStage(clear),
  offset: onStage(offset),
  stall: onStage(stall),
  'load-1': onStage(load(1)),
  'load-4': onStage(load(4)),
  'load-8': onStage(load(8)),
  density: onStage(density),
  render: onStage(render),
  'failover-spare': onStage(failoverToSpare),
  'failover-new': onStage(failoverToNew),
  'control-restart': onStage(controlRestart),
  'hand-over': onStage(handOver),
  lipsync: lipSync,
  knowledge,
  'api-sqlite': apiOnSqlite,
  'api-postgres': apiOnPostgres,
  fleet,
  'fleet-small': smallFleet,
  'endurance-simulated': simulatedSessions,
  'endurance-real': onStage(realSessions),
  drift: onStage(drift),
};

/** Too long to be waited for by whoever wants all. */
const ONLY_BY_NAME = [
  'drift',
  'fleet',
  'fleet-small',
  'failover-spare',
  'failover-new',
  'control-restart',
  'hand-over',
  'endurance-simulated',
  'endurance-real',
];

const wanted = process.argv.slice(2);
const names = Object.keys(measures).filter((name) =>
  wanted.length === 0 ? !ONLY_BY_NAME.includes(name) : wanted.includes(name),
);
try {
  for (const name of names) {
    const endPressure = await startPressure();
    const rows = await measures[name]!();
    const pressureOfAll = await endPressure();
    for (const {
      what,
      whose = 'avatar',
      avatar,
      floor,
      goal,
      isMet,
      isAbsolute = false,
      pressure = pressureOfAll,
    } of rows) {
      const isCalm = pressure === null || pressure <= PRESSURE_MAX;
      const proves = isCalm || (isAbsolute && isMet);
      const verdict = proves ? (isMet ? 'met' : 'NOT MET') : 'PROVES NOTHING, repeat';
      const busy = pressure === null ? 'unknown' : pressure.toFixed(2);
      console.log(
        `${what}\n    ${whose} ${avatar} | floor ${floor} | goal ${goal} | ${verdict} | pressure ${busy}`,
      );
    }
  }
} finally {
  for (const stage of stages) await stage.close();
}
