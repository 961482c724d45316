/* The faults of a soak while the sessions speak. Each resolves with its outcomes. */
import { delay, systemClock } from '#shared/clock.ts';
import { Child } from '../bench/rpc.ts';
import type { Answers } from '../bench/api/api-load.ts';
import { quantile } from '../bench/report/row.ts';
import { API_KEY, AVATAR, WORKER_TOKEN } from '../chaos/names.ts';
import type { SessionBody } from '../chaos/client.ts';
import { until } from '../support/until.ts';
import { anotherSession } from './another-session.ts';
import { HeldSockets, type Idleness } from './held-sockets.ts';
import { MALFORMED, sendMalformed } from './malformed.ts';
import { allOf, atLeast, atMost, without, type Outcome } from './outcomes.ts';
import type { SoakStage } from './stage.ts';

const MOST_FAILED_PERCENT = 0.1;
const SLOWEST_MS = 1_000;
/** The generator keeps the answers of one round. */
const ROUND_S = 60;
/** Otherwise the generator is what has too little CPU time. */
const LEAST_RATE = 0.95;

/**
 * Requests that start on schedule, however slow the answers are. `onStart` gets the process that
 * sends them.
 */
export async function load(
  stage: SoakStage,
  perSecond: number,
  seconds: number,
  onStart: (pid: number) => void,
): Promise<Outcome[]> {
  const child = new Child(new URL('../bench/api/api-load.ts', import.meta.url));
  onStart(child.pid);
  const sum = { ms: [] as number[], failed: 0, seconds: 0 };
  try {
    await child.ready;
    const target = {
      url: stage.url,
      key: API_KEY,
      method: 'GET',
      path: '/v1/sessions',
      status: 200,
    };
    // A round takes longer than planned when the service is slower than the requests come.
    while (sum.seconds < seconds - 1) {
      const roundSeconds = Math.ceil(Math.min(ROUND_S, seconds - sum.seconds));
      const round = { ...target, perSecond, seconds: roundSeconds };
      const answers = await child.ask<Answers>('open', round);
      for (const each of answers.ms) sum.ms.push(each);
      sum.failed += answers.failed;
      sum.seconds += answers.seconds;
    }
  } finally {
    child.kill();
  }
  const { ms, failed } = sum;
  const requestCount = ms.length + failed;
  return [
    atLeast('requests a second', requestCount / sum.seconds, LEAST_RATE * perSecond),
    atMost(
      `failed of ${requestCount} requests`,
      (100 * failed) / requestCount,
      MOST_FAILED_PERCENT,
      ' %',
    ),
    atMost('99 of 100 answered within', Math.round(quantile(ms, 0.99)), SLOWEST_MS, ' ms'),
  ];
}

/** The server allows a request 30 s, and 72 s between two. A busy machine checks later. */
const CLOSED_AFTER_MS: Record<Idleness, number> = {
  silent: 45_000,
  slow: 45_000,
  'kept alive': 90_000,
};
/** Share of the idle sockets that are slow. */
const SLOW_SHARE = 0.1;

/** Open at all times until `end`. */
export class IdleSockets {
  readonly #groups: { how: Idleness; sockets: HeldSockets }[];

  private constructor(groups: { how: Idleness; sockets: HeldSockets }[]) {
    this.#groups = groups;
  }

  static async open({ url }: SoakStage, count: number): Promise<IdleSockets> {
    const half = Math.ceil(count / 2);
    const counts = {
      silent: half,
      'kept alive': count - half,
      slow: Math.ceil(count * SLOW_SHARE),
    };
    const groups = [];
    for (const [how, many] of Object.entries(counts) as [Idleness, number][])
      groups.push({ how, sockets: await HeldSockets.open(url, many, how) });
    return new IdleSockets(groups);
  }

  async end(): Promise<Outcome[]> {
    const ends = this.#groups.map(async ({ how, sockets }) => {
      await sockets.end(CLOSED_AFTER_MS['kept alive']);
      return [
        allOf(`sockets that the server closed (${how})`, sockets.closed, sockets.count),
        atMost(`longest open (${how})`, Math.round(sockets.longestMs), CLOSED_AFTER_MS[how], ' ms'),
      ];
    });
    return (await Promise.all(ends)).flat();
  }
}

const ROUNDS = 10;

export async function malformed({ url }: SoakStage): Promise<Outcome[]> {
  const target = { url, workerToken: WORKER_TOKEN };
  const open = new Set<string>();
  let closed = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const ends = await Promise.all(MALFORMED.map((request) => sendMalformed(target, request)));
    for (const [i, isClosed] of ends.entries())
      if (isClosed) closed += 1;
      else open.add(MALFORMED[i]!.what);
  }
  const sentCount = ROUNDS * MALFORMED.length;
  return [allOf('connections closed after malformed bytes', closed, sentCount, [...open])];
}

const BROKEN_MS = 20_000;
/** The second retry is due 30 s after the first, and up to a tenth later. */
const DELIVERED_MS = 60_000;

/** No process resolves a name: neither the media server's nor a webhook's. */
export async function nameFailure(stage: SoakStage): Promise<Outcome[]> {
  const { client, receiver } = stage;
  const breakNames = (areBroken: boolean) =>
    Promise.all(stage.running.map((process) => process.breakNames(areBroken)));
  const open = () => client.once<SessionBody>('POST', '/v1/sessions', { avatar_id: AVATAR });
  const end = (id: string) => client.call('POST', `/v1/sessions/${id}/end`, {});
  // A worker whose frames were late takes no session for a while.
  const former = await client.call<SessionBody>('POST', '/v1/sessions', { avatar_id: AVATAR });
  if (former?.status !== 201) return [without('a session before the failure', ['none'])];
  await breakNames(true);
  const meanwhile = await open();
  if (meanwhile?.status === 201) await end(meanwhile.body.id);
  await end(former.body.id);
  await delay(systemClock, BROKEN_MS);
  await breakNames(false);
  const problems = await anotherSession(stage);
  const isDelivered = () => receiver.count('session.ended', former.body.id) === 1;
  const late = await until(isDelivered, DELIVERED_MS).then(
    () => [],
    () => ['not delivered'],
  );
  const answer = meanwhile?.status ?? 'none';
  return [
    without(
      `without names, a new session gets 201 or 503 (${answer})`,
      answer === 201 || answer === 503 ? [] : [String(answer)],
    ),
    without('a session opens after the names are back', problems),
    without('a webhook of the time without names arrives', late),
  ];
}

const JUMP_MS = 5 * 60_000;
const JUMPED_MS = 20_000;

/** The wall clock jumps forward, and back. */
export async function clockJump(stage: SoakStage): Promise<Outcome[]> {
  const jump = (offsetMs: number) =>
    Promise.all(stage.running.map((process) => process.jumpClock(offsetMs)));
  await jump(JUMP_MS);
  await delay(systemClock, JUMPED_MS);
  await jump(0);
  return [
    without('a session opens after the clock jumped 5 min and back', await anotherSession(stage)),
  ];
}
