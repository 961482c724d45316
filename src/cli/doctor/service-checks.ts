import { fetchProblem } from '#shared/network/fetch-problem.ts';
import type { Abilities } from '../../clients/typescript/src/generated/models.ts';
import { ok, problem, warning, type Check } from './check.ts';

/* Checks of a running service, by its own reports. */
const TIMEOUT_MS = 5_000;

export type ServiceFindings = {
  check: Check;
  isRunning: boolean;
  /** Its clock, by its answer. */
  date: number | null;
  /** Status of `/v1/auth/verify`; null if it was not asked. */
  keyStatus: number | null;
};

type Question = {
  key: string | undefined;
  /** A person named it, so it must answer. */
  isRemote: boolean;
  /** Where a service of this machine keeps its records, if known. */
  dataDir?: string | undefined;
};

export async function askService(
  address: string,
  { key, isRemote, dataDir }: Question,
): Promise<ServiceFindings> {
  try {
    const ready = await get(`${address}/readyz`);
    const date = Date.parse(ready.headers.get('date') ?? '');
    const body = (await ready.json()) as { checks?: Record<string, { status?: string }> };
    if (!body.checks) throw new Error('it is not a Troupe service');
    const keyStatus = key ? (await get(`${address}/v1/auth/verify`, key)).status : null;
    const place = dataDir === undefined ? '' : `, with its records in ${dataDir}`;
    const check = ready.ok
      ? ok('Service', `ready at ${address}${place}`)
      : unready(address, body.checks);
    return { check, isRunning: true, date: Number.isNaN(date) ? null : date, keyStatus };
  } catch (error) {
    const says = `${address}: ${fetchProblem(error)}`;
    const check = isRemote
      ? problem(
          'Service',
          says,
          'Start it there, or correct --url or TROUPE_URL; check proxy and firewall.',
        )
      : ok('Service', 'not running; `troupe start` starts it');
    return { check, isRunning: false, date: null, keyStatus: null };
  }
}

function unready(address: string, checks: Record<string, { status?: string }>): Check {
  const bad = Object.entries(checks)
    .filter(([, { status }]) => status !== 'ok')
    .map(([name, { status }]) => `${name} ${status}`);
  return warning(
    'Service',
    `${address} runs, but a session would get no avatar now (${bad.join(', ')})`,
    'See `troupe logs --level warn` on its machine, and `troupe fleet status`.',
  );
}

/** The abilities of managed agents without models of their own. `key`: an accepted one. */
export async function checkAbilities(address: string, key: string): Promise<Check> {
  const reply = await get(`${address}/v1/abilities`, key);
  if (!reply.ok) return ok('Agents', 'abilities unknown: the key may not read agents');
  const { hears, thinks } = (await reply.json()) as Abilities;
  const missing = [
    ...(hears ? [] : ['cannot hear, and read typed text']),
    ...(thinks ? [] : ['quote their files instead of thinking']),
  ];
  if (missing.length === 0) return ok('Agents', 'hear and think');
  return warning(
    'Agents',
    `managed agents without models of their own ${missing.join(', and ')}`,
    'Run Ollama beside `npm start`, set OPENAI_API_KEY or OPENAI_BASE_URL, or choose external APIs for each agent. Sessions of your own agent need none.',
  );
}

const get = (url: string, key?: string): Promise<Response> =>
  fetch(url, {
    headers: key ? { 'x-api-key': key } : {},
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
