import { readFile } from 'node:fs/promises';
import { systemClock } from '#shared/clock.ts';
import { readCommand } from '#shared/process/command-line.ts';
import { createLog } from '#shared/log.ts';
import { exitFailed } from '#shared/process/operator-error.ts';
import { onUncaught } from '#shared/process/uncaught.ts';
import { isOfDroppedHandle } from '../runtime/dropped-handles.ts';
import { loadProbeConfig } from './config.ts';

const { values, number, refuse } = readCommand({
  usage: `Usage: npm run probe -- --url URL [--avatar ID] [--timeout SECONDS] [--key-file FILE] [--json] [--metrics FILE] [--push URL]

Makes a session at a running service, sees and hears its avatar, ends it, and prints the time of each step in one line. Exits
with 1 and a sentence that says what is wrong if a step fails. Needs an API key of the scope \`all\` in TROUPE_API_KEY.
  --url URL          address of the service
  --avatar ID        the avatar to show (default: nora)
  --timeout SECONDS  limit of each step (default: 15)
  --key-file FILE    reads the API key from a file instead
  --json             prints JSON instead of the line
  --metrics FILE     also writes Prometheus metrics, for the textfile collector of the node exporter
  --push URL         also sends them to a Pushgateway: http://HOST:9091/metrics/job/troupe-probe`,
  options: {
    url: { type: 'string' },
    avatar: { type: 'string', default: 'nora' },
    timeout: { type: 'string', default: '15' },
    'key-file': { type: 'string' },
    json: { type: 'boolean', default: false },
    metrics: { type: 'string' },
    push: { type: 'string' },
  },
});
const { url = '', push, metrics, 'key-file': keyFile } = values;
if (!/^https?:\/\//.test(url) || !URL.canParse(url))
  refuse('--url must be the address of the service, for example https://troupe.example.com.');
const stepMs = number('--timeout', values.timeout, 1) * 1000;

// Set before rtc-node loads: otherwise it logs every step to standard output.
process.env['NODE_ENV'] ??= 'production';

onUncaught((error) => {
  if (!isOfDroppedHandle(error)) exitFailed(error);
});
try {
  const apiKey = keyFile
    ? (await readFile(keyFile, 'utf8')).trim()
    : (loadProbeConfig(process.env).TROUPE_API_KEY ?? '');
  if (!apiKey) refuse('TROUPE_API_KEY is not set, and --key-file names no key.');
  await run(apiKey);
} catch (error) {
  exitFailed(error);
}

async function run(apiKey: string): Promise<never> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  const { startMediaEngine } = await import('../runtime/media-engine.ts');
  const { MediaRoom } = await import('./media-room.ts');
  const { Probe } = await import('./probe.ts');
  const { pushMetrics, writeMetrics } = await import('./publish.ts');
  const { toJson, toLine, toMetrics } = await import('./report.ts');
  const { serviceApi } = await import('./service-api.ts');
  startMediaEngine();

  const clock = systemClock;
  const log = createLog({ name: 'probe', level: 'silent' });
  const api = serviceApi({ url, apiKey, avatarId: values.avatar, clock });
  const room = new MediaRoom({ clock, log });
  const result = await new Probe({ api, room, clock, stepMs, signal: stop.signal }).run();

  let code = result.failure ? 1 : 0;
  const output = code === 0 || values.json ? process.stdout : process.stderr;
  output.write(`${values.json ? toJson(result) : toLine(result)}\n`);
  const text = toMetrics(result, clock.now());
  const publish = async (target: string, done: Promise<void>) => {
    await done.catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      process.stderr.write(`The metrics could not be sent to ${target}: ${reason}.\n`);
      code = 1;
    });
  };
  if (metrics) await publish(metrics, writeMetrics(metrics, text));
  if (push) await publish(push, pushMetrics(push, text));
  // rtc-node's threads would keep the process alive.
  process.exit(code);
}
