/* A worker process that reaches its control plane through a reverse proxy with a certificate of a private CA. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { dispose } from '@livekit/rtc-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blobPath } from '#protocol/blob-path.ts';
import { GATEWAY_PATH } from '#protocol/gateway-path.ts';
import { nameOf } from '../../workers/runtime/blobs.ts';
import { TestCa } from '../support/processes/certificates.ts';
import { startControlProcess, type ControlProcess } from '../support/processes/control-process.ts';
import { pictureBytes } from '../support/api/form.ts';
import { startMediaServer, type RunningMediaServer } from '../support/processes/media-server.ts';
import { SimulatedWorker } from '../support/simulated-worker.ts';
import { TlsProxy } from '../support/processes/tls-proxy.ts';
import { Witness } from '../support/picture/witness.ts';
import { startWorker } from '../support/processes/worker-process.ts';

const API_KEY = 'test-key-of-the-first-account';
const WORKER_TOKEN = 'a token that all workers know';
const BUNDLE = fileURLToPath(new URL('../../workers/avatar/avatars/nora.avatar', import.meta.url));

let mediaServer: RunningMediaServer;
let control: ControlProcess;
let proxy: TlsProxy;
let dataDir: string;
let caFile: string;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'troupe-tls-'));
  closing.push(() => rm(dataDir, { recursive: true, force: true }));
  mediaServer = await startMediaServer();
  closing.push(() => mediaServer.stop());
  control = await startControlProcess({
    DATA_DIR: path.join(dataDir, 'control'),
    TROUPE_API_KEY: API_KEY,
    WORKER_TOKEN,
    LIVEKIT_URL: mediaServer.url,
    LIVEKIT_API_KEY: mediaServer.apiKey,
    LIVEKIT_API_SECRET: mediaServer.apiSecret,
  });
  closing.push(() => control.kill());
  const ca = new TestCa();
  caFile = path.join(dataDir, 'ca.pem');
  await writeFile(caFile, ca.cert);
  proxy = await TlsProxy.open(control.url, ca.issue());
  closing.push(() => proxy.close());
});
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
  await dispose();
});

async function post<Made>(pathname: string, body: FormData | object): Promise<Made> {
  const isForm = body instanceof FormData;
  const reply = await fetch(new URL(pathname, control.url), {
    method: 'POST',
    headers: { 'x-api-key': API_KEY, ...(!isForm && { 'content-type': 'application/json' }) },
    body: isForm ? body : JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${pathname} answered ${reply.status} ${await reply.text()}`);
  return (await reply.json()) as Made;
}

async function putBlob(bytes: Buffer): Promise<string> {
  const hash = nameOf(bytes);
  const reply = await fetch(new URL(blobPath(hash), control.url), {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${WORKER_TOKEN}`,
      'content-type': 'application/octet-stream',
    },
    body: new Uint8Array(bytes),
  });
  expect(reply.ok).toBe(true);
  return hash;
}

/** An avatar that workers must fetch. */
async function makeAvatar(): Promise<{ id: string; bundle: string }> {
  const abilities = ['bundles', 'builds'];
  const builder = new SimulatedWorker({ url: control.url, token: WORKER_TOKEN, abilities });
  await builder.join();
  const form = new FormData();
  form.append('name', 'Ada');
  form.append('consent', 'She agrees.');
  form.append('picture', new Blob([new Uint8Array(pictureBytes())]), 'portrait.jpg');
  const { id } = await post<{ id: string }>('/v1/avatars', form);
  const { placement } = await builder.next('build');
  const bundle = await putBlob(await readFile(BUNDLE));
  await builder.built(placement, bundle, await putBlob(pictureBytes('a portrait')));
  await builder.close();
  return { id, bundle };
}

const start = (env: Record<string, string>, logs?: RegExp) =>
  startWorker(
    { address: proxy.url, dataDir: path.join(dataDir, 'worker') },
    { WORKER_TOKEN, WORKER_SLOTS: '1', ...env },
    { ...(logs && { logs }) },
  );

describe('a worker process behind a TLS proxy', () => {
  test('registers, fetches a bundle and shows its avatar when it trusts the CA', async () => {
    const avatar = await makeAvatar();
    const worker = await start({ NODE_EXTRA_CA_CERTS: caFile });
    closing.push(() => worker.kill());

    const { room } = await post<{ room: { url: string; viewer_token: string } }>('/v1/sessions', {
      avatar_id: avatar.id,
    });
    const witness = new Witness('troupe-avatar');
    await witness.join(room.url, room.viewer_token);
    await witness.sees(25);
    await witness.leave();
    await worker.kill();

    expect(proxy.requests).toContain(`GET ${GATEWAY_PATH}`);
    expect(proxy.requests).toContain(`GET ${blobPath(avatar.bundle)}`);
  });

  test('logs what to do when it does not trust the CA', async () => {
    const before = proxy.requests.length;

    const worker = await start({}, /set NODE_EXTRA_CA_CERTS to the PEM file/);
    await worker.kill();

    expect(proxy.requests.slice(before)).toEqual([]);
  });
});
