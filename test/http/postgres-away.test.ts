import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp, NORA, type BuiltApp } from '../support/api/build-app.ts';
import { copyDatabase } from '../support/records/postgres-databases.ts';
import { PostgresServer } from '../support/records/postgres.ts';
import { until } from '../support/until.ts';

let server: PostgresServer;
let service: BuiltApp;
beforeAll(async () => {
  server = await PostgresServer.open();
  service = await buildApp({ env: { DATABASE_URL: await copyDatabase(server.url) } });
});
afterAll(async () => {
  await service.close();
  await server.close();
});

const open = async (): Promise<string> => {
  const reply = await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
  return reply.json().id;
};
const find = (id: string) => service.call('GET', `/v1/sessions/${id}`);
const status = async (id: string) => (await find(id)).json().status?.type;

test('requests get 503 while PostgreSQL is down, and no state is lost', async () => {
  const worker = service.workers[0]!;
  const ids = { begun: await open(), neverBegun: await open() };
  const { placement } = await worker.next('assign');
  await server.stop();

  const away = await find(ids.begun);
  expect(away.statusCode).toBe(503);
  expect(away.headers['retry-after']).toBe('2');
  expect(away.json()).toMatchObject({ detail: expect.not.stringMatching(/postgres|connect/i) });
  const unready = await service.call('GET', '/readyz?exclude=workers');
  expect(unready.statusCode).toBe(503);
  expect(unready.json().checks).toMatchObject({ database: { status: 'failed' } });
  expect(unready.body).not.toMatch(/postgres|127\.0\.0\.1|ECONN/i);
  const report = { type: 'started', id: 'report-1', placement, agoMs: 0 } as const;
  worker.say(report);
  await worker.atRest();
  expect(worker.messages.some(({ type }) => type === 'ack')).toBe(false);

  await server.start();
  // A worker resends until it is acknowledged.
  worker.say(report);
  await worker.next('ack');
  expect(await status(ids.begun)).toBe('ongoing');

  await server.stop();
  // The other session's start deadline passes. Its end cannot be saved yet and is retried.
  service.clock.advance(60_000);
  await until(() => service.clock.nextInMs === 1_000);
  await server.start();
  await until(async () => {
    service.clock.advance(1_000);
    return (await status(ids.neverBegun)) === 'completed';
  });
  expect(await status(ids.begun)).toBe('ongoing');
});
