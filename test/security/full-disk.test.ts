/* Attacks on the disk of a service that runs on a real small file system. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { API_KEY } from '../support/api/build-app.ts';
import { formOf, pictureBytes } from '../support/api/form.ts';
import { startControlProcess, type ControlProcess } from '../support/processes/control-process.ts';
import { hasSmallDisks, SmallDisk } from '../support/processes/small-disk.ts';
import { until } from '../support/until.ts';
import { FIRST_AVATAR } from '../support/cast.ts';

const MIB = 1024 ** 2;
const DISK_MIB = 192;
const RESERVE_MIB = 96;
/** SQLite's log, which is emptied by later writes. */
const LOG_MIB = 64;
const CHUNK = Buffer.alloc(8 * MIB, 'x');
const FULL = { detail: expect.stringContaining('disk of the service is almost full') };

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

function newDisk(mib: number): SmallDisk {
  const disk = new SmallDisk(mib);
  closing.push(() => disk.close());
  return disk;
}

async function startOn(disk: SmallDisk, reserveMib: number): Promise<ControlProcess> {
  const control = await startControlProcess({
    DATA_DIR: path.join(disk.folder, 'data'),
    MIN_FREE_MIB: `${reserveMib}`,
    TROUPE_API_KEY: API_KEY,
    WORKER_TOKEN: 'a token that workers know',
    REQUESTS_PER_MINUTE: '1000000',
  });
  closing.push(() => control.kill());
  return control;
}

// Needs root on Linux, to mount a small file system (test/support/processes/small-disk.ts says so).
describe.skipIf(!hasSmallDisks)('a service on a small disk', () => {
  let disk: SmallDisk;
  let control: ControlProcess;
  beforeEach(async () => {
    disk = newDisk(DISK_MIB);
    control = await startOn(disk, RESERVE_MIB);
  });

  const call = async (method: string, pathname: string, body?: object | Buffer) => {
    const isBytes = Buffer.isBuffer(body);
    const reply = await fetch(`${control.url}${pathname}`, {
      method,
      headers: {
        'x-api-key': API_KEY,
        ...(body && {
          'content-type': isBytes ? 'application/octet-stream' : 'application/json',
        }),
      },
      ...(body && { body: isBytes ? Uint8Array.from(body) : JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: reply.status, body: text && JSON.parse(text), headers: reply.headers };
  };
  const files = '/v1/knowledge-files';
  const createFile = () => call('POST', files, { name: 'a', format: 'text' });
  const newFile = async (): Promise<string> => (await createFile()).body.id;
  const upload = (id: string, number: number, bytes = CHUNK) =>
    call('PUT', `${files}/${id}/upload?chunk_number=${number}`, bytes);
  const newAgent = (text = '') =>
    call('POST', '/v1/agents', {
      name: 'a',
      avatar_id: FIRST_AVATAR.id,
      ...(text && { system_prompt: text }),
    });

  /** Uploads without end and without submitting. Returns the ids and the first refusal. */
  const fillByUploads = async () => {
    const ids: string[] = [];
    for (;;) {
      const created = await createFile();
      if (created.status !== 201) return { ids, refusal: created };
      ids.push(created.body.id);
      for (let number = 0; number < 8; number += 1) {
        const reply = await upload(created.body.id, number);
        if (reply.status !== 204) return { ids, refusal: reply };
      }
    }
  };

  test('refuses uploads that are never submitted before they fill it, and goes on', async () => {
    const { ids, refusal } = await fillByUploads();

    expect([refusal.status, refusal.body]).toMatchObject([507, FULL]);
    expect(disk.freeBytes).toBeGreaterThan((RESERVE_MIB - LOG_MIB - 8) * MIB);
    const refused = [
      await createFile(),
      await newAgent(),
      await call('POST', '/v1/sessions', { avatar_id: 'a' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([507, 507, 507]);
    expect((await call('GET', files)).status).toBe(200);
    expect((await call('GET', '/healthz')).status).toBe(200);

    for (const id of ids) expect((await call('DELETE', `${files}/${id}`)).status).toBe(204);

    // The file of the database does not shrink; what is deleted is used again.
    const fileId = await newFile();
    expect((await upload(fileId, 0)).status).toBe(204);
    expect((await newAgent()).status).toBe(201);
  });

  test('refuses photos without keeping a part of them', async () => {
    disk.fill((RESERVE_MIB + 4) * MIB);
    const { freeBytes } = disk;
    const picture = new Blob([new Uint8Array(pictureBytes('x'.repeat(8 * MIB)))]);
    const form = await formOf({ name: 'Ada', consent: 'She agrees.', picture });

    const reply = await fetch(`${control.url}/v1/avatars`, {
      method: 'POST',
      headers: { 'x-api-key': API_KEY, ...form.headers },
      body: Uint8Array.from(form.payload),
    });

    expect([reply.status, await reply.json()]).toMatchObject([507, FULL]);
    expect(freeBytes - disk.freeBytes).toBeLessThan(MIB);
  });

  test('answers and stays alive when others have filled its disk to the last byte', async () => {
    const id = await newFile();
    const agentId = (await newAgent()).body.id;
    disk.fill();

    const stored = await newAgent();
    const uploaded = await upload(id, 0, Buffer.from('x'));
    const read = await call('GET', `/v1/agents/${agentId}`);
    const deletions = [];
    for (let tries = 0; tries < 3; tries += 1) {
      deletions.push(await call('DELETE', `/v1/agents/${agentId}`));
    }

    expect([stored.status, uploaded.status, read.status]).toEqual([507, 507, 200]);
    // SQLite's log may have room for a few small changes.
    for (const { status } of deletions) expect([204, 404, 503]).toContain(status);
    disk.relieve();
    expect((await newAgent()).status).toBe(201);
    expect((await upload(id, 0, Buffer.from('x'))).status).toBe(204);
    expect((await call('POST', `${files}/${id}/submit`)).body).toMatchObject({ content: 'x' });
  });
});

// Needs root on Linux, to mount a small file system (test/support/processes/small-disk.ts says so).
describe.skipIf(!hasSmallDisks)('a service without a reserve', () => {
  test('answers 503 while the database cannot be written, never 500', async () => {
    const disk = newDisk(16);
    const control = await startOn(disk, 0);
    const create = async () => {
      const reply = await fetch(`${control.url}/v1/knowledge-files`, {
        method: 'POST',
        headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'a', format: 'text', content: 'x'.repeat(400_000) }),
      });
      return { status: reply.status, retryAfter: reply.headers.get('retry-after') };
    };

    const statuses = new Set<number>();
    let unavailable: Awaited<ReturnType<typeof create>> | undefined;
    for (let tries = 0; tries < 60; tries += 1) {
      // The text fits, but not the pages of SQLite's log that hold it.
      disk.fill(405_504);
      const reply = await create();
      statuses.add(reply.status);
      if (reply.status === 503) unavailable = reply;
      disk.relieve();
    }

    expect([...statuses].filter((status) => ![201, 503, 507].includes(status))).toEqual([]);
    expect(unavailable).toEqual({ status: 503, retryAfter: '2' });
  });
});

// Needs root on Linux, to mount a small file system (test/support/processes/small-disk.ts says so).
describe.skipIf(!hasSmallDisks)('a program that logs to a file on a full disk', () => {
  test('goes on, and writes what it could not once there is room', async () => {
    const disk = newDisk(2);
    const file = path.join(disk.folder, 'log');
    const output = openSync(file, 'a');
    const program = fork('test/security/logging-program.ts', {
      stdio: ['ignore', output, 'inherit', 'ipc'],
      execArgv: ['--import', 'tsx'],
    });
    closeSync(output);
    closing.push(() => program.kill());
    const log = async (lines: number) => {
      program.send(lines);
      await once(program, 'message');
    };
    const linesKept = () => readFileSync(file, 'utf8').split('\n').length - 1;
    await log(10);
    await until(() => linesKept() === 10);
    disk.fill();

    await log(100);
    // Its log is written by and by.
    await log(1);
    await until(() => disk.freeBytes === 0 && linesKept() < 111);
    expect(program.exitCode).toBe(null);
    disk.relieve();
    await log(1);

    await until(() => linesKept() === 112);
  });
});
