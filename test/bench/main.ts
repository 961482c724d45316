/*
 * `npm run bench [-- NAME ...]`: the figures that a session is judged by, each beside a floor measured in the same run.
 */
import { PRESSURE_MAX, startPressure } from './machine.ts';
import {
  clear,
  firstFrame,
  load,
  offset,
  speechLatency,
  workerLost,
  type Measure,
} from './rows.ts';
import { Stage } from './stage.ts';

const measures: Record<string, Measure> = {
  'first-frame': firstFrame,
  speech: speechLatency,
  clear,
  offset,
  'load-1': load(1),
  'load-4': load(4),
  'worker-lost': workerLost,
};

const wanted = process.argv.slice(2);
const names = Object.keys(measures).filter((name) => wanted.length === 0 || wanted.includes(name));
const stage = await Stage.open();
try {
  for (const name of names) {
    const endPressure = await startPressure();
    const rows = await measures[name]!(stage);
    const pressureOfAll = await endPressure();
    for (const { what, avatar, floor, goal, isMet, pressure = pressureOfAll } of rows) {
      const proves = pressure === null || pressure <= PRESSURE_MAX;
      const verdict = proves ? (isMet ? 'met' : 'NOT MET') : 'PROVES NOTHING, repeat';
      const busy = pressure === null ? 'unknown' : pressure.toFixed(2);
      console.log(
        `${what}\n    avatar ${avatar} | floor ${floor} | goal ${goal} | ${verdict} | pressure ${busy}`,
      );
    }
  }
} finally {
  await stage.close();
}
