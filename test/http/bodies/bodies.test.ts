import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Bodies } from '../../../src/http/bodies/bodies.ts';
import { readBytes } from '../../../src/http/bodies/parsers.ts';
import { replyToError } from '../../../src/http/errors/fault-replies.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

const MIB = 1024 ** 2;
const [MEMORY, DISK] = [5 * MIB, 8 * MIB];

let folder: string;
let clock: TestClock;
let bodies: Bodies;
let app: FastifyInstance;
let port: number;
let sockets: Socket[];
/** Requests that a handler works on. */
let handled: PromiseWithResolvers<void>[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-test-'));
  clock = new TestClock();
  bodies = new Bodies(
    { folder: path.join(folder, 'arriving'), memoryBytes: MEMORY, diskBytes: DISK },
    clock,
  );
  sockets = [];
  handled = [];
  app = fastify({ bodyLimit: 2 * MIB, forceCloseConnections: true });
  app.setErrorHandler(replyToError);
  app.decorateRequest('rejectedFor', null);
  bodies.serve(app);
  app.removeAllContentTypeParsers();
  readBytes(app, bodies);
  app.put('/', async ({ body }) => ({ size: (body as Buffer).length }));
  app.put('/slow', async () => {
    const work = Promise.withResolvers<void>();
    handled.push(work);
    await work.promise;
    return { ok: true };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = app.server.address() as AddressInfo);
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
  await rm(folder, { recursive: true });
  expect(clock.waiting).toBe(0);
});

const put = (payload: Buffer, url = '/') =>
  fetch(`http://127.0.0.1:${port}${url}`, { method: 'PUT', body: new Uint8Array(payload) });

/** A client that has sent `bytes` of a body in chunks, without its end. */
function halfSent(bytes: number): Socket {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  socket.write('PUT / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
  socket.write(`${bytes.toString(16)}\r\n`);
  socket.write(Buffer.alloc(bytes));
  return socket;
}

const isFree = () => bodies.memory.total === 0 && bodies.disk.total === 0;

test.each([10, 64 * 1024, 64 * 1024 + 1, 2 * MIB])(
  'a body of %d bytes arrives whole',
  async (size) => {
    const reply = await put(Buffer.alloc(size, 7));

    expect(await reply.json()).toEqual({ size });
    await until(isFree);
  },
);

test('a body in a file has no name', async () => {
  halfSent(MIB);
  // A second write follows: the first one found the file open.
  await until(() => bodies.disk.total > 64 * 1024);

  expect(await readdir(path.join(folder, 'arriving'))).toEqual([]);
});

test('slow senders hold little memory, and others get through', async () => {
  for (let count = 0; count < 5; count += 1) halfSent(0.5 * MIB);
  await until(() => bodies.disk.total > 2 * MIB);

  expect(bodies.memory.total).toBeLessThanOrEqual(5 * 64 * 1024);
  expect((await put(Buffer.alloc(MIB))).status).toBe(200);
});

test('bytes that arrive beyond the disk budget are refused', async () => {
  for (let count = 0; count < 4; count += 1) halfSent(MIB - 1);
  await until(() => bodies.disk.total > 3.5 * MIB);

  const reply = await put(Buffer.alloc(2 * MIB));

  expect(reply.status).toBe(503);
  expect(reply.headers.get('retry-after')).toBe('2');
  expect(await reply.json()).toMatchObject({ code: 'at_capacity' });
});

test('a body waits for the memory of another, and then is refused', async () => {
  const firstReply = put(Buffer.alloc(2 * MIB - 1), '/slow');
  await until(() => handled.length === 1);
  const secondReply = put(Buffer.alloc(MIB));
  await until(() => clock.waiting === 1);

  clock.advance(5_000);

  expect((await secondReply).status).toBe(503);
  handled[0]!.resolve();
  expect((await firstReply).status).toBe(200);
  await until(isFree);
});

test('a body is given back when its sender goes away half-way', async () => {
  const socket = halfSent(MIB);
  await until(() => bodies.disk.total > 0);

  socket.destroy();

  await until(isFree);
});

test('a body is given back when its sender goes away while it waits for memory', async () => {
  const firstReply = put(Buffer.alloc(2 * MIB - 1), '/slow');
  await until(() => handled.length === 1);
  const leaving = new AbortController();
  const secondReply = fetch(`http://127.0.0.1:${port}/`, {
    method: 'PUT',
    body: new Uint8Array(MIB),
    signal: leaving.signal,
  });
  await until(() => clock.waiting === 1);

  leaving.abort();
  await expect(secondReply).rejects.toThrow('aborted');

  await until(() => bodies.disk.total === 0);
  handled[0]!.resolve();
  await firstReply;
  await until(isFree);
});

test('a body stays counted while a handler uses it, though its sender has gone', async () => {
  const leaving = new AbortController();
  const reply = fetch(`http://127.0.0.1:${port}/slow`, {
    method: 'PUT',
    body: new Uint8Array(MIB),
    signal: leaving.signal,
  });
  await until(() => handled.length === 1);
  leaving.abort();
  await expect(reply).rejects.toThrow('aborted');

  expect(bodies.memory.total).toBeGreaterThanOrEqual(MIB);

  handled[0]!.resolve();
  await until(isFree);
});

test.each([
  { size: 2 * MIB + 1, status: 413 },
  { size: 1, status: 404, url: '/nowhere' },
])('a body that is refused with $status takes nothing', async ({ size, status, url }) => {
  expect((await put(Buffer.alloc(size), url)).status).toBe(status);
  await until(isFree);
});
