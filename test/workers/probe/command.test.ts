import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../../support/processes/free-port.ts';
import { programEnv } from '../../support/processes/program-env.ts';

let folder: string;
let server: Server;
let requests: { what: string; key: unknown; body: string }[];
let pushStatus: number;
/** Body of an accepted request for a session. Null: the key is refused. */
let session: object | null;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-probe-'));
  requests = [];
  pushStatus = 200;
  session = null;
  // Troupe and a Pushgateway.
  server = createServer(async (request, reply) => {
    const body = (await request.toArray()).join('');
    const line = `${request.method} ${request.url}`;
    requests.push({ what: line, key: request.headers['x-api-key'], body });
    if (request.method === 'PUT') return void reply.writeHead(pushStatus).end();
    if (session) return void reply.end(JSON.stringify(session));
    reply.writeHead(401).end(JSON.stringify({ detail: 'Invalid API key.' }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const run = (args: string[], env: Record<string, string> = { TROUPE_API_KEY: 'a key' }) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const flags = ['--disable-warning=ExperimentalWarning', 'workers/probe/main.ts'];
    const options = { env: { ...programEnv, ...env } };
    execFile(process.execPath, [...flags, ...args], options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

describe('npm run probe', () => {
  test.each([
    [[], '--url must be the address'],
    [['--url', 'troupe.example.com'], '--url must be the address'],
    [['--url', 'http://127.0.0.1:1', '--timeout', 'soon'], "at least 1, not 'soon'"],
  ])('explains the arguments %j', async (args, problem) => {
    const { code, stderr } = await run(args);

    expect(code).toBe(2);
    expect(stderr).toContain(problem);
  });

  test('needs a key', async () => {
    const { code, stderr } = await run(['--url', url()], {});

    expect(code).toBe(2);
    expect(stderr).toMatch(/^TROUPE_API_KEY is not set/);
  });

  test('fails in one line, with the key of a file, and tells Prometheus', async () => {
    const [keyFile, metrics] = [path.join(folder, 'key'), path.join(folder, 'probe.prom')];
    await writeFile(keyFile, 'key of a file\n');
    const push = `${url()}/metrics/job/troupe-probe`;

    const args = ['--url', url(), '--key-file', keyFile, '--metrics', metrics, '--push', push];
    const { code, stdout, stderr } = await run(args, {});

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `failed at created: POST ${url()}/v1/sessions answered 401: Invalid API key.\n`,
    );
    expect(requests.map(({ what }) => what)).toEqual([
      'POST /v1/sessions',
      'PUT /metrics/job/troupe-probe',
    ]);
    expect(requests[0]?.key).toBe('key of a file');
    const text = await readFile(metrics, 'utf8');
    expect(text).toContain('troupe_probe_success 0\n');
    expect(requests[1]?.body).toBe(text);
    expect(await readdir(folder)).toEqual(['key', 'probe.prom']);
  });

  test('ends its session if the media server cannot be reached', async () => {
    const media = `ws://127.0.0.1:${await freePort()}`;
    const room = { url: media, name: 'r', agent_token: 'a', viewer_token: 'v' };
    session = { id: 's', status: { type: 'completed' }, room };

    const { code, stderr } = await run(['--url', url()]);

    expect(code).toBe(1);
    expect(stderr).toMatch(/^failed at joined: The room at \S+ could not be joined: .+\n$/);
    expect(stderr).toContain(media);
    expect(requests.map(({ what }) => what)).toEqual([
      'POST /v1/sessions',
      'GET /v1/sessions/s',
      'POST /v1/sessions/s/end',
    ]);
  });

  test('says where the metrics could not be sent', async () => {
    pushStatus = 500;
    const missing = path.join(folder, 'missing', 'probe.prom');

    const to = ['--metrics', missing, '--push', url()];
    const { code, stdout, stderr } = await run(['--url', url(), '--json', ...to]);

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, failed_step: 'created' });
    expect(stderr).toContain(`The metrics could not be sent to ${missing}: ENOENT`);
    expect(stderr).toContain(`The metrics could not be sent to ${url()}: it answered 500.\n`);
  });
});
