/*
 * The API under load: the control plane as a process, simulated workers, and load generators in
 * their own processes, over HTTP on loopback.
 */
import type { Answers, Target } from './api-load.ts';
import { startLoad } from './load-meter.ts';
import { KEY, NORA, WORKER_TOKEN, withLoadedControl } from './loaded-control.ts';
import { onPostgres, onSqlite, type Records } from './records.ts';
import { quantile, row, type Goal, type Load, type Row } from '../report/row.ts';
import { Child } from '../rpc.ts';

const PER_SECOND = 500;

type Side = Pick<Target, 'url'> & { run: string };
type Call = Pick<Target, 'method' | 'path' | 'status'>;
type Measured = { service: Answers; floor: Answers; load: Load };

const POST: Call = { method: 'POST', path: '/v1/sessions', status: 201 };

export const apiOnSqlite = (): Promise<Row[]> =>
  onSqlite((records) => measure(records, { hasGoals: true }));

export const apiOnPostgres = (): Promise<Row[]> =>
  onPostgres((records) => measure(records, { hasGoals: false }));

async function measure(records: Records, { hasGoals }: { hasGoals: boolean }): Promise<Row[]> {
  const floorProcess = new Child(new URL('./api-floor.ts', import.meta.url));
  // The default level; the output is discarded.
  const env = { LOG_LEVEL: 'info' };
  try {
    return await withLoadedControl(records, env, async ({ control: { url }, load, pool }) => {
      await floorProcess.ready;
      await pool.ask('join', {
        url,
        token: WORKER_TOKEN,
        avatarId: NORA,
        workers: 4,
        slots: 2_000,
        performMs: 1_000,
      });
      const floor = { url: await floorProcess.ask<string>('listen'), run: 'floor' };
      const api = new Callers(load, { url, run: 'service' }, floor);
      return rowsOf(api, records.name, hasGoals);
    });
  } finally {
    floorProcess.kill();
  }
}

class Callers {
  readonly #load: Child;
  readonly #service: Side;
  readonly #floor: Side;

  constructor(load: Child, service: Side, floor: Side) {
    this.#load = load;
    this.#service = service;
    this.#floor = floor;
  }

  /** Alternating, so that both run under the same machine load. */
  async ask(verb: 'closed' | 'open', call: Call, pace: object, rounds = 3): Promise<Measured> {
    const service: Answers[] = [];
    const floor: Answers[] = [];
    const endLoad = startLoad();
    for (let round = 0; round < rounds; round++) {
      floor.push(await this.#ask(verb, this.#floor, call, pace));
      service.push(await this.#ask(verb, this.#service, call, pace));
    }
    return { service: merge(service), floor: merge(floor), load: endLoad() };
  }

  #ask(verb: string, side: Side, call: Call, pace: object): Promise<Answers> {
    return this.#load.ask<Answers>(verb, { key: KEY, ...side, ...call, ...pace });
  }
}

async function rowsOf(api: Callers, database: string, hasGoals: boolean): Promise<Row[]> {
  // Warm-up: V8 compiles the hot code within about 20,000 sessions.
  const warm = await api.ask('closed', POST, { callers: 8, seconds: 10 }, 1);
  const { id } = JSON.parse(warm.service.firstBody) as { id: string };

  const oneCaller = await api.ask('closed', POST, { callers: 1, seconds: 3 });
  const manyCallers = await api.ask('closed', POST, { callers: 16, seconds: 3 });
  const steady = await api.ask('open', POST, { perSecond: PER_SECOND, seconds: 4 });
  const byId = { method: 'GET', path: `/v1/sessions/${id}`, status: 200 } as const;
  const single = await api.ask('closed', byId, { callers: 1, seconds: 2 });
  const list = { method: 'GET', path: '/v1/sessions', status: 200 } as const;
  const listed = await api.ask('closed', list, { callers: 1, seconds: 2 });

  const rows = (
    subject: string,
    measured: Measured,
    goals: { p50?: Goal; p99?: Goal } = {},
  ): Row[] => {
    const { service, floor, load } = measured;
    const common = { unit: 'ms', load } as const;
    return [
      row({
        ...common,
        what: `${subject}, ${database}`,
        values: service.ms,
        floor: floor.ms,
        ...(hasGoals && goals.p50 && { goal: goals.p50 }),
        note: `${perSecond(service)} a second, floor ${perSecond(floor)}`,
      }),
      row({
        ...common,
        what: `${subject}, 99th percentile, ${database}`,
        values: quantile(service.ms, 0.99),
        floor: quantile(floor.ms, 0.99),
        ...(hasGoals && goals.p99 && { goal: goals.p99 }),
      }),
    ];
  };
  return [
    ...rows('POST /v1/sessions, one caller', oneCaller, { p50: { of: 'ratio', atMost: 3 } }),
    ...rows(`POST /v1/sessions at ${PER_SECOND} a second`, steady, {
      p99: { of: 'ratio', atMost: 5 },
    }),
    row({
      what: `failed of them, ${database}`,
      unit: '',
      values: steady.service.failed,
      load: steady.load,
      ...(hasGoals && { goal: { of: 'worst', atMost: 0 } }),
    }),
    ...rows('POST /v1/sessions, 16 callers', manyCallers),
    ...rows('GET /v1/sessions/{id}, one caller', single),
    ...rows('GET /v1/sessions, one caller', listed),
  ];
}

const merge = (answers: Answers[]): Answers => ({
  ms: answers.flatMap(({ ms }) => ms),
  failed: answers.reduce((sum, { failed }) => sum + failed, 0),
  seconds: answers.reduce((sum, { seconds }) => sum + seconds, 0),
  firstBody: answers[0]?.firstBody ?? '',
  begun: [],
});

const perSecond = ({ ms, seconds }: Answers): number => Math.round(ms.length / seconds);
