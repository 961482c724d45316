import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { callControl, CallRefused, type CallControl } from '../../../workers/agent/call-control.ts';
import { briefWith } from '../../support/agents/call-brief.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

const log = createLog({ name: 'test', level: 'silent' });
const { signal } = new AbortController();

let clock: TestClock;
let server: Server;
let control: CallControl;
let requests: {
  method?: string;
  url?: string;
  headers: IncomingMessage['headers'];
  body: string;
}[];
/** Status and body of the next responses; the last one repeats. Null: no response. */
let answers: ([number, unknown] | null)[];

beforeEach(async () => {
  clock = new TestClock();
  requests = [];
  answers = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (text) => (body += text));
    request.on('end', () => {
      const { method, url, headers } = request;
      requests.push({ ...(method && { method }), ...(url && { url }), headers, body });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (!answer) return;
      response.writeHead(answer[0], { 'content-type': 'application/json' });
      response.end(answer[1] === undefined ? '' : JSON.stringify(answer[1]));
    });
  }).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const identity = { workerId: 'agent-1', secret: 'of agent-1' };
  const address = { url: `ws://127.0.0.1:${port}`, token: 'secret', identity };
  control = callControl(address, 'call-1', { clock, log });
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

describe('call control', () => {
  test("requests the brief with the worker's credentials", async () => {
    answers = [[200, briefWith()]];

    expect(await control.brief(signal)).toEqual(briefWith());
    expect(requests[0]).toMatchObject({
      method: 'GET',
      url: '/worker-calls/call-1',
      headers: {
        authorization: 'Bearer secret',
        'x-worker-id': 'agent-1',
        'x-worker-secret': 'of agent-1',
      },
    });
    expect(clock.waiting).toBe(0);
  });

  test('retries when the control plane is unavailable or does not answer', async () => {
    answers = [[503, {}], null, [200, briefWith()]];
    const brief = control.brief(signal);

    await until(() => requests.length === 1 && clock.waiting === 1);
    await until(() => (clock.advance(100), requests.length === 2));
    await until(() => (clock.advance(1_000), requests.length === 3));

    expect(await brief).toEqual(briefWith());
  });

  test('does not retry a refused call or an invalid brief', async () => {
    answers = [[404, {}]];
    await expect(control.brief(signal)).rejects.toBeInstanceOf(CallRefused);

    answers = [[200, { callId: 'call-1' }]];
    await expect(control.brief(signal)).rejects.toBeInstanceOf(CallRefused);
    expect(requests).toHaveLength(2);
  });

  test('saves a line, and distinguishes refusals from transient failures', async () => {
    const line = { sender: 'user', text: 'Hello.', agoMs: 3 } as const;
    answers = [[204, undefined]];
    await control.keep('line-1', line, signal);
    answers = [[429, {}]];
    const transient = await control.keep('line-2', line, signal).catch((error: unknown) => error);
    answers = [[422, {}]];
    const final = await control.keep('line-3', line, signal).catch((error: unknown) => error);

    expect(requests[0]).toMatchObject({ method: 'PUT', url: '/worker-calls/call-1/lines/line-1' });
    expect(JSON.parse(requests[0]!.body)).toEqual(line);
    expect(transient).not.toBeInstanceOf(CallRefused);
    expect(final).toBeInstanceOf(CallRefused);
  });

  test('reports once that the model refuses pictures, and does without if that fails', async () => {
    answers = [[503, {}]];

    await control.reportPictureRefusal();

    expect(requests).toMatchObject([
      { method: 'PUT', url: '/worker-calls/call-1/picture-refusal' },
    ]);
  });

  test('returns no passages when they do not arrive in time', async () => {
    answers = [[200, { passages: [{ source: 'a.txt', text: 'A.' }] }]];
    expect(await control.passages('What?')).toEqual([{ source: 'a.txt', text: 'A.' }]);

    answers = [null];
    const emptyAnswer = control.passages('And?');
    await until(() => requests.length === 2);
    clock.advance(1_500);

    expect(await emptyAnswer).toEqual([]);
  });
});
