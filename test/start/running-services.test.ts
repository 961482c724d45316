import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { announceService, runningServices } from '../../src/start/running-services.ts';

let env: { XDG_CACHE_HOME: string };
beforeEach(() => {
  env = { XDG_CACHE_HOME: mkdtempSync(path.join(tmpdir(), 'troupe-running-')) };
});
afterEach(() => rmSync(env.XDG_CACHE_HOME, { recursive: true }));

const service = (pid: number, startedAt = 0) => ({
  pid,
  startedAt,
  address: 'http://127.0.0.1:8081',
  dataDir: '/srv/troupe/data',
});

async function endedPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid!;
}

describe('the services that a user runs', () => {
  test('are listed until they stop, the latest start first', () => {
    const withdraw = announceService(env, service(process.pid, 1));
    announceService(env, service(process.ppid, 2));
    const both = runningServices(env);

    withdraw();

    expect(both).toEqual([service(process.ppid, 2), service(process.pid, 1)]);
    expect(runningServices(env)).toEqual([service(process.ppid, 2)]);
  });

  test('exclude those that were killed, whose files the next start removes', async () => {
    announceService(env, service(await endedPid()));
    const listed = runningServices(env);

    announceService(env, service(process.pid));

    expect(listed).toEqual([]);
    const folder = path.join(env.XDG_CACHE_HOME, 'troupe', 'running');
    expect(readdirSync(folder)).toEqual([`${process.pid}.json`]);
  });

  test('are none without a home, or with one that cannot be written', () => {
    const file = path.join(env.XDG_CACHE_HOME, 'file');
    writeFileSync(file, '');

    for (const home of [{}, { XDG_CACHE_HOME: file }]) {
      announceService(home, service(process.pid))();
      expect(runningServices(home)).toEqual([]);
    }
  });
});
