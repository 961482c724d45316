import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { createLog } from '#shared/log.ts';
import type { FinishedSpan } from '../../../src/shared/tracing/finished-span.ts';
import { openTracer, type Tracer } from '../../../src/shared/tracing/tracer.ts';
import { startOtlpReceiver } from '../../support/otlp-receiver.ts';

let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
let lines: { level: number; msg: string }[];

beforeEach(async () => {
  lines = [];
  receiver = await startOtlpReceiver();
});
afterEach(() => receiver.close());

const log = createLog({ name: 'test' }, { write: (line) => void lines.push(JSON.parse(line)) });

const open = (env: object): Promise<Tracer | null> =>
  openTracer({ settings: env, process: 'control', clock: systemClock, log });

const span = (fields: Partial<FinishedSpan> = {}): FinishedSpan => ({
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  name: 'placement',
  startMs: 1_700_000_000_000.25,
  endMs: 1_700_000_000_100.5,
  attributes: { 'troupe.worker.id': 'w', 'troupe.epoch': 2, 'troupe.interrupted': true },
  ...fields,
});

/** In bytes, without garbage. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

/** A port where nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('a tracer', () => {
  test('does not exist without an endpoint', async () => {
    expect(await open({})).toBeNull();
  });

  test('loads its packages only with an endpoint', () => {
    const importers = globSync('{src,workers}/**/*.ts').filter((file) =>
      readFileSync(file, 'utf8').includes('otlp-tracer.ts'),
    );

    expect(importers).toEqual(['src/shared/tracing/tracer.ts']);
    const text = readFileSync(importers[0]!, 'utf8');
    expect(text).toContain("await import('./otlp-tracer.ts')");
    expect(text).not.toMatch(/from '\.\/otlp-tracer/);
  });

  test('sends spans by OTLP over HTTP, with the given headers', async () => {
    const tracer = await open({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%3Db, x-team = avatars',
    });
    const link = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16) };
    tracer?.record(span({ link, error: 'declined', events: [{ name: 'asked', atMs: 5 }] }));
    tracer?.record(span({ spanId: 'e'.repeat(16), parentSpanId: 'b'.repeat(16) }));
    await tracer?.close();

    expect(receiver.requests.map(({ url }) => url)).toEqual(['/v1/traces']);
    expect(receiver.requests[0]?.headers).toMatchObject({
      'content-type': 'application/x-protobuf',
      'x-key': 'a=b',
      'x-team': 'avatars',
    });
    expect(receiver.spans).toEqual([
      {
        service: 'troupe-control',
        traceId: 'a'.repeat(32),
        spanId: 'b'.repeat(16),
        parentSpanId: '',
        name: 'placement',
        kind: 1,
        startMs: 1_700_000_000_000.25,
        endMs: 1_700_000_000_100.5,
        attributes: { 'troupe.worker.id': 'w', 'troupe.epoch': 2, 'troupe.interrupted': true },
        events: ['asked'],
        links: ['c'.repeat(32)],
        error: 'declined',
      },
      expect.objectContaining({ parentSpanId: 'b'.repeat(16), error: null, links: [] }),
    ]);
  });

  test('drops spans beyond its queue while the receiver is away, and closes', async () => {
    const endpoint = `http://127.0.0.1:${await closedPort()}`;
    const tracer = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    const heapBefore = heapUsed();

    for (let n = 0; n < 100_000; n++) tracer?.record(span());

    // Kept, they would take 80 MiB.
    expect(heapUsed() - heapBefore).toBeLessThan(8 * 1024 ** 2);
    await tracer?.close();
  });

  test('logs once that a receiver refuses its spans', async () => {
    const refusing = await startOtlpReceiver({ status: 401 });
    const tracer = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: refusing.url });
    for (let n = 0; n < 2_000; n++) tracer?.record(span());
    await tracer?.close();
    await refusing.close();

    expect(refusing.requests.length).toBeGreaterThan(1);
    expect(lines.map(({ level, msg }) => ({ level, msg }))).toEqual([
      { level: 40, msg: 'traces not sent' },
    ]);
  });
});
