import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Check } from '../../../src/cli/doctor/check.ts';
import { announceService } from '../../../src/start/running-services.ts';
import { API_KEY, buildApp } from '../../support/api/build-app.ts';
import { troupe } from '../run-troupe.ts';

let dataDir: string;
let port: number;
let listener: Server;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'troupe-doctor-'));
  // Not a service of HTTP.
  listener = createServer((socket) => socket.end('220 ready\r\n'));
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  ({ port } = listener.address() as AddressInfo);
});
afterEach(async () => {
  listener.close();
  await rm(dataDir, { recursive: true, force: true });
});

const free = () => new Promise((resolve) => listener.close(resolve));

async function examine(env: Record<string, string> = {}, ...args: string[]) {
  const result = await troupe(['doctor', '--json', ...args], {
    env: { PORT: String(port), DATA_DIR: dataDir, PATH: '', HOME: dataDir, ...env },
  });
  const { healthy, checks } = JSON.parse(result.stdout) as { healthy: boolean; checks: Check[] };
  return { ...result, healthy, find: (name: string) => checks.find((each) => each.name === name) };
}

describe('troupe doctor', () => {
  test('finds no problem on a machine that can start the service', async () => {
    await free();

    const { code, healthy, find } = await examine({ TROUPE_API_KEY: 'a key of 16 letters' });

    expect({ code, healthy }).toEqual({ code: 0, healthy: true });
    for (const name of ['Node', 'Settings', 'Secrets', 'Disk', 'UDP', 'TURN', 'Clock', 'Service'])
      expect(find(name)).toMatchObject({ state: 'ok' });
    expect(find('Media server')).toMatchObject({ state: 'warning' });
  });

  test('prints each check with what to do, and exits with 1 for a problem', async () => {
    const { code, stdout, stderr } = await troupe(['doctor'], {
      env: { PORT: String(port), DATA_DIR: dataDir, HOME: dataDir },
    });

    expect(code).toBe(1);
    expect(stdout).toContain(`✗ Ports         ${port} is taken by another program\n`);
    expect(stdout).toContain('set PORT to another one.');
    expect(stderr).toMatch(/^1 of \d+ checks found a problem\.\n$/);
  });

  test('names wrong settings', async () => {
    const { find } = await examine({ LIVEKIT_PORT: 'many' });

    expect(find('Settings')).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/LIVEKIT_PORT/),
    });
  });

  test('finds a taken port of the media server', async () => {
    const { find } = await examine({ PORT: '0', LIVEKIT_PORT: String(port - 1) });

    expect(find('Ports')).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/one of \d+ to \d+ is taken/),
    });
  });

  test('finds a folder that cannot be used', async () => {
    const file = path.join(dataDir, 'file');
    await writeFile(file, '');

    const { find } = await examine({ DATA_DIR: path.join(file, 'data') });

    expect(find('Disk')).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/is not a folder/),
    });
  });

  test('finds too little room', async () => {
    const { find } = await examine({ MIN_FREE_MIB: '1000000000' });

    expect(find('Disk')).toMatchObject({
      state: 'problem',
      fix: expect.stringMatching(/below 1000000000 MiB/),
    });
  });

  test('finds keys that others can read, and a missing one', async () => {
    await writeFile(path.join(dataDir, 'secret.key'), '');
    await chmod(path.join(dataDir, 'secret.key'), 0o644);
    const open = await examine();
    await rm(path.join(dataDir, 'secret.key'));
    await writeFile(path.join(dataDir, 'troupe.sqlite'), '');
    const missing = await examine();

    expect(open.find('Secrets')).toMatchObject({
      state: 'problem',
      fix: expect.stringMatching(/^Run: chmod 600 /),
    });
    expect(missing.find('Secrets')).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/is missing/),
    });
  });

  test('finds a media server that does not answer', async () => {
    const { find } = await examine({ LIVEKIT_URL: 'ws://127.0.0.1:9' });

    expect(find('Media server')).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/ws:\/\/127\.0\.0\.1:9/),
    });
  });

  test('says that TURN was not checked when others reach the service', async () => {
    const { find } = await examine({ HOST: '0.0.0.0' });

    expect(find('TURN')).toMatchObject({
      state: 'warning',
      fix: expect.stringMatching(/--turn turns:/),
    });
  });
});

const announce = (service: { address: string; dataDir: string }) =>
  announceService({ HOME: dataDir }, { pid: process.pid, startedAt: Date.now(), ...service });
/** A data folder where no service was started. */
const elsewhere = () => path.join(dataDir, 'another folder');

describe('troupe doctor, of a service that this user runs', () => {
  test('finds it from another folder, at another port', async () => {
    const service = await buildApp();
    announce({ address: service.url, dataDir });

    const { find } = await examine({ PORT: '', DATA_DIR: elsewhere() });
    await service.close();

    const says = `ready at ${service.url}, with its records in ${dataDir}`;
    expect(find('Service')).toMatchObject({ state: 'ok', says });
    expect(find('Disk')?.says).toContain(dataDir);
    const { port: ownPort } = new URL(service.url);
    expect(find('Ports')).toMatchObject({ says: `${ownPort} is used by the running service` });
  });

  test('finds that of this data folder at a port that PORT does not name', async () => {
    await free();
    const service = await buildApp();
    announce({ address: 'http://127.0.0.1:9', dataDir: elsewhere() });
    // The second of one process: another file.
    announceService(
      { HOME: dataDir },
      { pid: process.ppid, startedAt: 0, address: service.url, dataDir },
    );

    const { find } = await examine();
    await service.close();

    expect(find('Service')?.says).toContain(`ready at ${service.url}`);
  });

  test.each([
    { where: 'a port that a person set', env: () => ({ DATA_DIR: elsewhere() }) },
    { where: 'the records of another one', env: () => ({ PORT: '' }) },
  ])('does not take it for $where', async ({ env }) => {
    await free();
    await writeFile(path.join(dataDir, 'troupe.sqlite'), '');
    await writeFile(path.join(dataDir, 'secret.key'), '', { mode: 0o600 });
    announce({ address: 'http://127.0.0.1:9', dataDir: '/another/data' });

    const { find } = await examine(env());

    expect(find('Service')?.says).not.toContain('127.0.0.1:9');
    expect(find('Disk')?.says).not.toContain('/another/data');
  });
});

test('troupe doctor leaves no folder behind', async () => {
  await free();
  const folder = path.join(dataDir, 'new');

  const { find } = await examine({ DATA_DIR: folder });

  expect(find('Disk')).toMatchObject({ state: 'ok' });
  expect(existsSync(folder)).toBe(false);
});

describe('troupe doctor, of a service', () => {
  test('accepts the key, compares the clocks, and checks nothing of this machine', async () => {
    const service = await buildApp();

    const { find } = await examine({ TROUPE_URL: service.url, TROUPE_API_KEY: API_KEY });
    await service.close();

    expect(find('Service')).toMatchObject({ state: 'ok', says: `ready at ${service.url}` });
    expect(find('API key')).toMatchObject({ state: 'ok', says: 'accepted by the service' });
    expect(find('Clock')).toMatchObject({ state: 'ok', says: 'agrees with the service' });
    expect(find('Agents')).toMatchObject({
      state: 'warning',
      says: expect.stringContaining('cannot hear, and read typed text'),
      fix: expect.stringContaining('OPENAI_API_KEY'),
    });
    expect(find('Ports')).toBeUndefined();
  });

  test('names what is missing for a session, and a wrong key', async () => {
    const service = await buildApp({ slots: 0 });

    const { find } = await examine({ TROUPE_URL: service.url, TROUPE_API_KEY: 'another key' });
    await service.close();

    expect(find('Service')).toMatchObject({
      state: 'warning',
      says: expect.stringMatching(/workers/),
    });
    expect(find('API key')).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/does not know it/),
    });
  });

  test('finds one that does not answer', async () => {
    await free();

    const { code, find } = await examine({ TROUPE_URL: `http://127.0.0.1:${port}` });

    expect(code).toBe(1);
    expect(find('Service')).toMatchObject({ state: 'problem' });
  });
});
