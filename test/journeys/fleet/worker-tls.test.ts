/* A worker behind a reverse proxy with a certificate of a private CA. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { dispose } from '@livekit/rtc-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blobPath } from '#protocol/worker/blob-path.ts';
import { GATEWAY_PATH } from '#protocol/worker/gateway-path.ts';
import { nameOf } from '../../../workers/runtime/blobs.ts';
import { startControlService, type ControlService } from '../../stage/control-service.ts';
import { TestCa } from '../../support/processes/proxies/certificates.ts';
import { pictureBytes } from '../../support/api/form.ts';
import { SimulatedWorker } from '../../support/simulated-worker.ts';
import { TlsProxy } from '../../support/processes/proxies/tls-proxy.ts';
import { AvatarViewer } from '../../support/picture/avatar-viewer.ts';
import { startWorker } from '../../support/processes/worker-process.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

const BUNDLE = fileURLToPath(
  new URL(`../../../workers/avatar/avatars/${FIRST_AVATAR.bundle}`, import.meta.url),
);

let service: ControlService;
let proxy: TlsProxy;
let caFile: string;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  service = await startControlService();
  closing.push(() => service.close());
  const ca = new TestCa();
  caFile = path.join(service.dataDir, 'ca.pem');
  await writeFile(caFile, ca.cert);
  proxy = await TlsProxy.open(service.address, ca.issue());
  closing.push(() => proxy.close());
});
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
  await dispose();
});

async function putBlob(bytes: Buffer): Promise<string> {
  const hash = nameOf(bytes);
  const reply = await fetch(new URL(blobPath(hash), service.address), {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${service.workerToken}`,
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
  const builder = new SimulatedWorker({
    url: service.address,
    token: service.workerToken,
    abilities,
  });
  await builder.join();
  const form = new FormData();
  form.append('name', 'Ada');
  form.append('consent', 'She agrees.');
  form.append('picture', new Blob([new Uint8Array(pictureBytes())]), 'portrait.jpg');
  const created = await fetch(new URL('/v1/avatars', service.address), {
    method: 'POST',
    headers: { 'x-api-key': service.apiKey },
    body: form,
  });
  expect(created.ok).toBe(true);
  const { id } = (await created.json()) as { id: string };
  const { placement } = await builder.next('build');
  const bundle = await putBlob(await readFile(BUNDLE));
  await builder.built(placement, bundle, await putBlob(pictureBytes('a portrait')));
  await builder.close();
  return { id, bundle };
}

const start = (env: Record<string, string>, logs?: RegExp) =>
  startWorker(
    { address: proxy.url, dataDir: path.join(service.dataDir, 'worker') },
    { WORKER_TOKEN: service.workerToken, WORKER_SLOTS: '1', ...env },
    { ...(logs && { logs }) },
  );

describe('a worker process behind a TLS proxy', () => {
  test('registers, fetches a bundle and shows its avatar when it trusts the CA', async () => {
    const avatar = await makeAvatar();
    const worker = await start({ NODE_EXTRA_CA_CERTS: caFile });
    closing.push(() => worker.kill());

    type Session = { room: { url: string; viewer_token: string } };
    const { room } = await service.make<Session>('/v1/sessions', { avatar_id: avatar.id });
    const viewer = new AvatarViewer('troupe-avatar');
    await viewer.join(room.url, room.viewer_token);
    await viewer.sees(25);
    await viewer.leave();
    await worker.kill();

    expect(proxy.requests).toContain(`GET ${GATEWAY_PATH}`);
    expect(proxy.requests).toContain(`GET ${blobPath(avatar.bundle)}`);
  });

  test('logs what to do when it does not trust the CA', async () => {
    const requestsBefore = proxy.requests.length;

    const worker = await start({}, /set NODE_EXTRA_CA_CERTS to the PEM file/);
    await worker.kill();

    expect(proxy.requests.slice(requestsBefore)).toEqual([]);
  });
});
