/*
 * `tsx test/http/fuzz/schemathesis.ts SCHEMATHESIS [ARGUMENT ...]` runs the program at that path
 * against a control plane with 1,000 simulated slots. The document includes the admin API, and each
 * operation gets the credentials of its security scheme: the key of an account, an operator's key,
 * or the admin password. Other settings are in `schemathesis.toml`. Exits with the program's exit
 * code and leaves no process behind.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request as send, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startControlProcess } from '../../support/processes/control-process.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

const API_KEY = 'key-of-the-first-account';
const WORKER_TOKEN = 'a token that workers know';
const ADMIN_PASSWORD = 'a password of the operator';
const ADMIN = { authorization: `Bearer ${ADMIN_PASSWORD}` };
const NORA = FIRST_AVATAR.id;
const WORKERS = 10;
const SLOTS = 100;

const [program, ...args] = process.argv.slice(2);
if (!program) throw new Error('usage: schemathesis.ts SCHEMATHESIS [ARGUMENT ...]');

const dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-schemathesis-'));
const closing: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true })];
try {
  process.exitCode = await attack(program, args);
} finally {
  for (const close of closing.toReversed()) await close();
}

async function attack(program: string, args: string[]): Promise<number> {
  const control = await startControlProcess({
    DATA_DIR: dataDir,
    TROUPE_API_KEY: API_KEY,
    TROUPE_ADMIN_PASSWORD: ADMIN_PASSWORD,
    WORKER_TOKEN,
    REQUESTS_PER_MINUTE: '1000000000',
    TRUSTED_PROXIES: '127.0.0.1/32',
    ALLOWED_NETWORKS: '127.0.0.0/8',
    LIVEKIT_URL: await standInForRooms(),
    LIVEKIT_API_KEY: 'key',
    LIVEKIT_API_SECRET: 'a secret that nobody else has to know',
    LOG_LEVEL: 'silent',
  });
  closing.push(() => control.kill());
  await simulate(control.url);
  const agentFields = { name: 'agent', avatar_id: NORA };
  const { id: agent } = await post(`${control.url}/v1/agents`, agentFields, {
    'x-api-key': API_KEY,
  });
  const call = await post(`${control.url}/v1/chat/${agent}/calls`, {});

  const operator = await makeOperatorKey(control.url);
  const spared = [
    ...(await idsAt(`${control.url}/admin/accounts`, ADMIN)),
    ...(await idsAt(`${control.url}/v1/api-keys`, { 'x-api-key': API_KEY })),
    operator.id,
  ];

  const config = fileURLToPath(new URL('schemathesis.toml', import.meta.url));
  const env = {
    ...process.env,
    TROUPE_API_KEY: API_KEY,
    TROUPE_OPERATOR_KEY: operator.key,
    TROUPE_SPARED_IDS: JSON.stringify(spared),
    TROUPE_ADMIN_PASSWORD: ADMIN_PASSWORD,
    TROUPE_CHAT_CALL: JSON.stringify({ id: agent, call_id: call['id'] }),
    TROUPE_ROOM_TOKEN: call['room_token'],
    SCHEMATHESIS_HOOKS: fileURLToPath(new URL('schemathesis_hooks.py', import.meta.url)),
  };

  const attacker = spawn(
    path.resolve(program),
    ['--config-file', config, 'run', `${await visitors(control.url)}/openapi.json`, ...args],
    // Schemathesis stores its state in the working folder.
    { cwd: dataDir, stdio: 'inherit', env },
  );
  closing.push(() => attacker.kill());
  const [code] = (await once(attacker, 'exit')) as [number | null];
  return code ?? 1;
}

async function makeOperatorKey(url: string): Promise<{ id: string; key: string }> {
  const { id } = await post(`${url}/admin/accounts`, { name: 'operator' }, ADMIN);
  const key = { name: 'operator', scope: 'operator' };
  const createdKey = await post(`${url}/admin/accounts/${id}/keys`, key, ADMIN);
  return { id: createdKey['id']!, key: createdKey['key']! };
}

async function idsAt(url: string, headers: Record<string, string>): Promise<string[]> {
  const reply = await fetch(url, { headers });
  if (!reply.ok) throw new Error(`GET ${url} answered ${reply.status}`);
  const { data } = (await reply.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
}

async function post(url: string, body: object, headers: Record<string, string> = {}) {
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (reply.status !== 201) throw new Error(`POST ${url} answered ${reply.status}`);
  return (await reply.json()) as Record<string, string>;
}

async function simulate(url: string): Promise<void> {
  const workers = spawn(
    process.execPath,
    ['test/support/simulate.ts', String(WORKERS), String(SLOTS)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'], CONTROL_URL: url, WORKER_TOKEN },
    },
  );
  closing.push(() => workers.kill());
  await once(workers.stdout, 'data');
}

/**
 * A proxy to `url` by which each request comes from an address of its own: many wrong passwords
 * from one lock it out.
 */
function visitors(url: string): Promise<string> {
  let count = 0;
  return serve((request, response) => {
    const { method = 'GET', url: path, rawHeaders } = request;
    const address = `198.18.${(count >> 8) & 255}.${count++ & 255}`;
    const headers = [...rawHeaders, 'x-forwarded-for', address];
    const forwarded = send(new URL(url), { method, path, headers }, (reply) => {
      response.writeHead(reply.statusCode!, reply.rawHeaders);
      reply.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
}

/** A media server that accepts every request and has empty rooms. */
function standInForRooms(): Promise<string> {
  return serve((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json').end('{}');
  });
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
