/*
 * Load generator of the API bench, in its own process. Closed loop: each client waits for its
 * response. Open loop: requests start on schedule, so that a slow response does not hold back later
 * requests. Scheduling uses millisecond timers, because a busy loop would take a core from the
 * measured processes.
 */
import { Agent, request } from 'node:http';
import { answer, machineMs } from '../rpc.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

export type Target = {
  /** Without a path. */
  url: string;
  key: string;
  method: 'GET' | 'POST';
  path: string;
  /** Prefix of each request's token, so that no two open the same session. */
  run?: string;
  /** Each session uses a room of the service instead of the caller's. */
  hasOwnRooms?: boolean;
  /** Expected status of every response. */
  status: number;
};
export type Answers = {
  ms: number[];
  /** Requests with another status. */
  failed: number;
  seconds: number;
  firstBody: string;
  /** For `open`: the opened sessions and the request times, by the machine's clock. */
  begun: [id: string, at: number][];
};

type Load = Target & { seconds: number };

const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const AVATAR_ID = FIRST_AVATAR.id;
let tokenCount = 0;

async function closed({
  callers,
  seconds,
  ...target
}: Load & { callers: number }): Promise<Answers> {
  const ms: number[] = [];
  let firstBody = '';
  const from = performance.now();
  const until = from + seconds * 1_000;
  const callInTurn = async () => {
    while (performance.now() < until) {
      const body = bodyFor(target);
      const begunAt = performance.now();
      const text = await call(target, body);
      ms.push(performance.now() - begunAt);
      firstBody ||= text;
    }
  };
  await Promise.all(Array.from({ length: callers }, callInTurn));
  return { ms, failed: 0, seconds: (performance.now() - from) / 1_000, firstBody, begun: [] };
}

async function open({
  perSecond,
  seconds,
  ...target
}: Load & { perSecond: number }): Promise<Answers> {
  const ms: number[] = [];
  const begun: Answers['begun'] = [];
  const timed = async (body: string | undefined) => {
    const at = machineMs();
    const text = await call(target, body);
    ms.push(machineMs() - at);
    begun.push([/"id":"([^"]+)"/.exec(text)?.[1] ?? '', at]);
  };
  let failed = 0;
  const calls: Promise<void>[] = [];
  const bodies = Array.from({ length: perSecond * seconds }, () => bodyFor(target));
  const from = performance.now();
  for (const [i, body] of bodies.entries()) {
    const dueInMs = from + (i * 1_000) / perSecond - performance.now();
    if (dueInMs > 0) await new Promise((resolve) => setTimeout(resolve, dueInMs));
    calls.push(timed(body).catch(() => void (failed += 1)));
  }
  await Promise.all(calls);
  return { ms, failed, seconds: (performance.now() - from) / 1_000, firstBody: '', begun };
}

/** With a separate room and token for each, like the published plugins. */
function bodyFor({ method, run, hasOwnRooms }: Target): string | undefined {
  if (method === 'GET') return undefined;
  if (hasOwnRooms) return JSON.stringify({ avatar_id: AVATAR_ID });
  const exp = Math.floor(Date.now() / 1_000) + 3_600;
  const token = [
    { alg: 'HS256', typ: 'JWT' },
    {
      iss: 'key',
      sub: 'avatar',
      kind: 'agent',
      exp,
      jti: `${run}-${tokenCount++}`,
      video: { roomJoin: true, room: 'room' },
    },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return JSON.stringify({
    avatar_id: AVATAR_ID,
    url: 'wss://media.their.example',
    token: `${token.join('.')}.${'x'.repeat(43)}`,
  });
}

function call(
  { url, key, method, path, status }: Target,
  body: string | undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const headers = {
      'x-api-key': key,
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    };
    const outgoing = request({ agent, hostname, port, method, path, headers }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => (text += chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        if (incoming.statusCode === status) resolve(text);
        else reject(new Error(`${method} ${path} answered ${incoming.statusCode}: ${text}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

answer({ closed, open });
