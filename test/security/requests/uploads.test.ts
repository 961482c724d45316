/* Uploads of one key that together would take more memory than the service has. */
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { blobPath } from '#protocol/worker/blob-path.ts';
import { MAX_CHUNK_BYTES } from '../../../src/knowledge/upload.ts';
import { hashOf } from '../../../src/records/blobs.ts';
import {
  attackedControl,
  ATTACKER_KEY,
  WORKER_TOKEN,
} from '../../support/attacks/attacked-control.ts';
import { healthDuring, limitMs } from '../../support/attacks/health-watch.ts';
import { formOf } from '../../support/api/form.ts';

const MIB = 1024 ** 2;
/** Resident memory that forms may add: half of BODY_MEMORY_MIB, and what is not collected. */
const MAY_ADD_MB = 350;
/** Bodies that are never complete are on the disk. */
const HELD_MAY_ADD_MB = 100;

let control: Awaited<ReturnType<typeof attackedControl>>;
let sockets: Socket[];
beforeEach(async () => {
  control = await attackedControl();
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await control.close();
});

const headers = { 'x-api-key': ATTACKER_KEY };

async function upload(form: Awaited<ReturnType<typeof formOf>>): Promise<number> {
  const reply = await fetch(`${control.url}/v1/avatars`, {
    method: 'POST',
    headers: { ...headers, ...form.headers },
    body: new Uint8Array(form.payload),
  });
  await reply.text();
  if (reply.status === 503) expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
  return reply.status;
}

/** Sends `bytes` of an upload in chunks, and never its end. */
function hold(bytes: number): Promise<void> {
  const socket = connect(Number(new URL(control.url).port), '127.0.0.1');
  socket.on('error', () => {});
  sockets.push(socket);
  const type = 'content-type: multipart/form-data; boundary=B';
  socket.write(
    `POST /v1/avatars HTTP/1.1\r\nhost: x\r\nx-api-key: ${ATTACKER_KEY}\r\n${type}\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  return new Promise((resolve) => {
    // A refusal comes before everything is read.
    socket.once('data', () => resolve());
    socket.write(`${bytes.toString(16)}\r\n`);
    socket.write(Buffer.alloc(bytes), () => resolve());
  });
}

const putBlob = async (bytes: Buffer) => {
  const reply = await fetch(`${control.url}${blobPath(hashOf(bytes))}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${WORKER_TOKEN}` },
    body: new Uint8Array(bytes),
  });
  return reply.status;
};

test('20 of 30 MiB at once take bounded memory', async () => {
  const bytes = new Blob([new Uint8Array(15 * MIB)]);
  const form = await formOf({ name: 'a', consent: 'a', picture: bytes, background: bytes });

  const { idle, attacked, result } = await healthDuring(control, () =>
    Promise.all(Array.from({ length: 20 }, () => upload(form))),
  );

  // 400: the bytes are no picture. 408: a busy machine sends them too slowly.
  for (const status of result) expect([400, 408, 503]).toContain(status);
  expect(result).toContain(503);
  expect(attacked.peakMb - idle.peakMb).toBeLessThan(MAY_ADD_MB);
  expect(attacked.busyMs).toBeLessThan(limitMs(idle));
  expect(await upload(form)).toBe(400);
});

test('held ones take little memory, and keep nobody else out', async () => {
  const { idle, attacked } = await healthDuring(control, async () => {
    for (let count = 0; count < 12; count += 1) await hold(20 * MIB);
  });

  expect(await putBlob(Buffer.alloc(30 * MIB, 1))).toBe(204);
  expect(attacked.peakMb - idle.peakMb).toBeLessThan(HELD_MAY_ADD_MB);
});

test('30 chunks of knowledge files at once take bounded memory', async () => {
  const creation = await fetch(`${control.url}/v1/knowledge-files`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'File', format: 'text' }),
  });
  const { id } = (await creation.json()) as { id: string };
  const chunk = new Uint8Array(MAX_CHUNK_BYTES);

  const { idle, attacked, result } = await healthDuring(control, () =>
    Promise.all(
      Array.from({ length: 30 }, async (_, number) => {
        const path = `/v1/knowledge-files/${id}/upload?chunk_number=${number}`;
        const reply = await fetch(`${control.url}${path}`, { method: 'PUT', headers, body: chunk });
        await reply.text();
        return reply.status;
      }),
    ),
  );

  // 413: more than a file may have.
  for (const status of result) expect([204, 413, 503]).toContain(status);
  expect(result).toContain(204);
  expect(attacked.peakMb - idle.peakMb).toBeLessThan(MAY_ADD_MB);
  expect(attacked.busyMs).toBeLessThan(limitMs(idle));
});

test('20 long JSON bodies at once take bounded memory', async () => {
  const content = 'words '.repeat(80_000);
  const padding = ' '.repeat(7 * MIB);
  const body = `${JSON.stringify({ name: 'File', format: 'text', content })}${padding}`;

  const { idle, attacked, result } = await healthDuring(control, () =>
    Promise.all(
      Array.from({ length: 20 }, async () => {
        const reply = await fetch(`${control.url}/v1/knowledge-files`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body,
        });
        await reply.text();
        return reply.status;
      }),
    ),
  );

  for (const status of result) expect([201, 503]).toContain(status);
  expect(result).toContain(201);
  expect(attacked.peakMb - idle.peakMb).toBeLessThan(MAY_ADD_MB);
  expect(attacked.busyMs).toBeLessThan(limitMs(idle));
});
