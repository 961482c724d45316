import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_CHUNK_BYTES } from '../../src/knowledge/upload.ts';
import { API_KEY } from '../support/api/build-app.ts';
import { startControlProcess, type ControlProcess } from '../support/processes/control-process.ts';
import { newPlace, type Place } from '../support/records/database.ts';
import { hostilePdfs, pdfSaying } from '../support/api/pdf.ts';

let place: Place;
let control: ControlProcess;
beforeAll(async () => {
  place = await newPlace();
  const WORKER_TOKEN = 'a token that workers know';
  control = await startControlProcess({ ...place.env, TROUPE_API_KEY: API_KEY, WORKER_TOKEN });
});
afterAll(async () => {
  await control.kill();
  await place.remove();
});

const MIB = 1024 ** 2;

const call = (method: string, path: string, body?: Buffer | object) =>
  fetch(`${control.url}${path}`, {
    method,
    headers: {
      'x-api-key': API_KEY,
      'content-type': Buffer.isBuffer(body) ? 'application/pdf' : 'application/json',
    },
    ...(body && { body: Buffer.isBuffer(body) ? Uint8Array.from(body) : JSON.stringify(body) }),
  });

async function submit(pdf: Buffer): Promise<{ status: number; body: Record<string, unknown> }> {
  const created = await call('POST', '/v1/knowledge-files', { name: 'File', format: 'pdf' });
  const { id } = (await created.json()) as { id: string };
  const at = `/v1/knowledge-files/${id}`;
  for (let from = 0; from < pdf.length; from += MAX_CHUNK_BYTES) {
    const chunk = pdf.subarray(from, from + MAX_CHUNK_BYTES);
    await call('PUT', `${at}/upload?chunk_number=${from / MAX_CHUNK_BYTES}`, chunk);
  }
  const reply = await call('POST', `${at}/submit`);
  const body = (await reply.json()) as Record<string, unknown>;
  await call('DELETE', at);
  return { status: reply.status, body };
}

async function residentMiB(): Promise<number> {
  const metrics = await (await call('GET', '/metrics')).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / MIB;
}

const [inflates, isLarge] = [/megabytes/, /million numbers/].map((pattern) =>
  hostilePdfs.find(({ what }) => pattern.test(what))!,
);

async function isRefused(pdf: Buffer, says: RegExp): Promise<void> {
  const submitting = submit(pdf);
  const reply = await call('GET', '/v1/agents');
  const refused = await submitting;

  expect(reply.status).toBe(200);
  expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringMatching(says) } });
}

describe('a service given hostile PDFs', () => {
  test('refuses them, answers other requests meanwhile and leaks no memory', async () => {
    const large = isLarge!.make();
    const resident: number[] = [];

    await isRefused(inflates!.make(), inflates!.says);
    for (let round = 0; round < 4; round += 1) {
      await isRefused(large, isLarge!.says);
      resident.push(await residentMiB());
    }

    const sound = await submit(pdfSaying('Eggs are two dollars.'));
    expect(sound).toMatchObject({ status: 200, body: { content: 'Eggs are two dollars.' } });
    const [first = 0, , ...later] = resident;
    expect(first).toBeGreaterThan(0);
    // A leak of one 64 MiB file per round would reach twice this; uncollected garbage comes and
    // goes.
    expect(Math.min(...later) - first).toBeLessThan(100);
  });
});
