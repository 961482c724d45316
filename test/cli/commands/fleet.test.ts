import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';
import { startTroupe, troupe } from '../run-troupe.ts';

let service: BuiltApp;
let operatorKey: string;
beforeEach(async () => {
  service = await buildApp({ slots: 2, agentSlots: 0 });
  const env = service.place.env;
  const keyCommand = await troupe(['key', 'create', '--name', 'ops', '--scope', 'operator'], {
    env,
  });
  operatorKey = keyCommand.stdout.trim();
});
afterEach(() => service.close());

const env = () => ({ TROUPE_URL: service.url, TROUPE_API_KEY: operatorKey });
const run = (...args: string[]) => troupe(['fleet', ...args], { env: env() });
const worker = () => service.workers[0]!;
const open = () => service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });

describe('troupe fleet status', () => {
  test('prints each worker and the demand', async () => {
    await open();

    const { code, stdout } = await run('status');

    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${worker().workerId} +avatar +default +ready +1/2 `, 'm'));
    expect(stdout).toContain('free slots 1, waiting requests 0.');
  });

  test('prints both as JSON, of one pool', async () => {
    const allPools = JSON.parse((await run('status', '--json')).stdout);
    const gpuPool = JSON.parse((await run('status', '--pool', 'gpu', '--json')).stdout);

    expect(allPools.workers).toHaveLength(1);
    expect(allPools.pressure.free_slots).toBe(2);
    expect(gpuPool.workers).toEqual([]);
  });

  test('exits with 4 for a key of another scope', async () => {
    const key = (await troupe(['key', 'create', '--name', 'a'], { env: service.place.env })).stdout;

    expect((await run('status', '--key', key.trim())).code).toBe(4);
  });
});

describe('troupe fleet cordon and resume', () => {
  test('withholds the slots of a worker, and offers them again', async () => {
    await open();
    const { workerId } = worker();

    const cordoned = await run('cordon', workerId);
    const status = await run('status');
    const resumed = await run('resume', workerId, '--json');

    expect(cordoned.stdout).toBe(`${workerId} is cordoned and keeps its sessions: 1.\n`);
    expect(status.stdout).toMatch(/ cordoned +1\/2 /);
    expect(JSON.parse(resumed.stdout)).toEqual({ id: workerId, cordoned: false, free_slots: 1 });
    expect((await run('cordon', 'none')).code).toBe(5);
  });
});

describe('troupe fleet drain', () => {
  test('drains a worker and says how many sessions are left', async () => {
    await open();

    const { code, stdout } = await run('drain', worker().workerId);

    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${worker().workerId} is draining: sessions left 1, `));
    await worker().next('drain');
  });

  test('waits until it is empty', async () => {
    const { id } = (await open()).json();
    const clock = new TestClock();
    const drain = startTroupe(['fleet', 'drain', worker().workerId, '--wait'], {
      env: env(),
      clock,
    });
    await until(() => clock.nextInMs === 2_000);

    await service.call('POST', `/v1/sessions/${id}/end`);
    await worker().atRest();
    await until(async () => {
      if (clock.nextInMs === 2_000) clock.advance(2_000);
      return drain.output.stdout !== '';
    });

    expect(await drain.exited).toBe(0);
    expect(drain.output.stdout).toContain('is empty.');
  });

  test('exits with 5 for an unknown worker', async () => {
    expect((await run('drain', 'none')).code).toBe(5);
  });
});

describe('troupe fleet log-level', () => {
  test('sets what a worker logs, at a level that exists', async () => {
    const { workerId } = worker();

    const { stdout } = await run('log-level', workerId, 'debug');

    expect(stdout).toBe(`${workerId} logs at the level debug.\n`);
    expect(await worker().next('set_log_level')).toEqual({ type: 'set_log_level', level: 'debug' });
    expect((await run('log-level', 'none', 'debug')).code).toBe(5);
    const { code, stderr } = await run('log-level', workerId, 'loud');
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('debug, info'),
    });
  });
});
