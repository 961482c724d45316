import { readCommand } from '#shared/process/command-line.ts';
import { outliveDroppedHandles } from '../support/processes/outlive-dropped-handles.ts';
import { LEAST_MINUTES, planOf } from './plan.ts';

const { values, number } = readCommand({
  usage: `Usage: npm run soak [-- --minutes N --sessions N --rate N --sockets N]

Runs a control plane, avatar workers and a media server of its own on 127.0.0.1 under many disturbances at once, and prints what
held: speaking sessions all the time; idle and slow sockets and API requests for almost as long; malformed requests and frames;
a failure of name resolution; a jump of the clock. A worker that exits is a requirement that does not hold, with the end of its
log. The last line but the table says how many processors each part has used: with too few, the service is not what is measured.
Exit code: 0 if everything held, else 1.
  --minutes N   length, at least ${LEAST_MINUTES} (default 30)
  --sessions N  sessions that speak (default 8)
  --rate N      API requests a second (default 500)
  --sockets N   idle sockets at a time, and a tenth as many slow ones (default 2000)`,
  options: {
    minutes: { type: 'string', default: '30' },
    sessions: { type: 'string', default: '8' },
    rate: { type: 'string', default: '500' },
    sockets: { type: 'string', default: '2000' },
  },
});
const plan = planOf(number('--minutes', values.minutes, LEAST_MINUTES));
const size = {
  sessions: number('--sessions', values.sessions, 1),
  perSecond: number('--rate', values.rate, 1),
  sockets: number('--sockets', values.sockets, 1),
};

// Set before rtc-node loads: otherwise it logs every step to standard output.
process.env['NODE_ENV'] ??= 'production';
const { startMediaEngine } = await import('../../workers/runtime/media-engine.ts');
startMediaEngine();
outliveDroppedHandles();
const { soak } = await import('./soak.ts');
const { outcomeTable } = await import('./outcomes.ts');
const say = (line: string) => void process.stdout.write(`${line}\n`);
const outcomes = await soak(plan, size, say);
const failed = outcomes.filter(({ holds }) => !holds).length;
say(
  `\n${outcomeTable(outcomes)}\n\nsoak: ${failed === 0 ? 'passed' : `FAILED, ${failed} not held`}`,
);
process.exit(failed === 0 ? 0 : 1);
