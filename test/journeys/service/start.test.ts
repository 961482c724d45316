import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import os, { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { mediaServerEnv } from '../../support/processes/media-server.ts';
import {
  NO_AGENTS,
  startService,
  type OwnService,
  type RunningService,
} from '../../support/processes/service.ts';
import type { ProgramName } from '../../../src/start/messages/start-messages.ts';
import { runningServices } from '../../../src/start/running-services.ts';
import { gone } from '../../start/processes/children.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { until } from '../../support/until.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

const PROGRAMS: ProgramName[] = ['media-server', 'control', 'worker', 'agent'];
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function started(options: Parameters<typeof startService>[0] = {}): Promise<OwnService> {
  const service = await startService(options);
  closing.push(() => service.stop());
  return service;
}

/** Files and folders within `folder`, at any depth, that others may list, read or write. */
async function filesOpenToOthers(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const modes = await Promise.all(
    names.map(async (name) => (await stat(path.join(folder, name))).mode),
  );
  expect(names).toContain(path.join('data', 'logs', 'control.log'));
  return names.filter((_, i) => (modes[i]! & 0o077) !== 0);
}

/** Whether a session would get a slot now. */
async function isReady(service: RunningService): Promise<boolean> {
  return (await service.api('/readyz').catch(() => null))?.status === 200;
}

/** `npm run probe`, with the metrics that it wrote. */
async function probed(service: RunningService) {
  const folder = await mkdtemp(path.join(tmpdir(), 'troupe-probe-'));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'probe.prom');
  const args = ['workers/probe/main.ts', '--url', service.address, '--json', '--metrics', file];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, TROUPE_API_KEY: service.apiKey },
  });
  return { report: JSON.parse(stdout), metrics: await readFile(file, 'utf8') };
}

const announced = () => runningServices(process.env).map(({ address }) => address);

describe('the whole service', () => {
  test('recovers from a kill -9 of each program, passes a probe, and leaves no process behind on SIGTERM', async () => {
    const service = await started();
    expect(announced()).toContain(service.address);
    for (const name of PROGRAMS) {
      expect(await isReady(service), name).toBe(true);
      await service.killProgram(name);
      await until(() => isReady(service));
    }
    const { report, metrics } = await probed(service);
    expect(report).toMatchObject({ ok: true, failed_step: null, problem: null });
    const steps = ['created', 'joined', 'first_frame', 'speech_heard', 'ended'];
    expect(Object.keys(report.steps_ms)).toEqual(steps);
    expect(report.frames_per_second).toBeGreaterThan(10);
    expect(metrics).toContain('troupe_probe_success 1\n');
    const session = await service.api(`/v1/sessions/${report.session_id}`);
    expect(await session.json()).toMatchObject({
      status: { type: 'completed' },
      end_reason: 'ended_by_client',
    });
    // Others may not raise a priority.
    if (process.getuid?.() === 0) {
      const priority = async (name: ProgramName) => os.getPriority(await service.pid(name));
      const control = await priority('control');
      expect(await priority('worker')).toBeLessThan(control);
      expect(await priority('media-server')).toBeLessThan(control);
      // It handed its sessions over, so its successor loads behind them.
      const successor = await service.killProgram('worker', 'SIGTERM');
      expect(os.getPriority(successor)).toBeGreaterThan(control);
      await until(() => os.getPriority(successor) < control);
    }
    const pids = await Promise.all(PROGRAMS.map((name) => service.pid(name)));

    await service.stop();

    for (const pid of pids) await gone(pid, PATIENCE_MS);
    expect(announced()).not.toContain(service.address);
  });

  test('uses a given media server, leaves no process behind when its supervisor is killed, and keeps its keys', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'troupe-kept-'));
    closing.push(() => rm(folder, { recursive: true, force: true }));
    const dataDir = path.join(folder, 'data');
    const firstRun = await started({ dataDir });
    const { url, apiKey, apiSecret } = firstRun.mediaServer;

    const second = await started({
      env: { ...NO_AGENTS, ...mediaServerEnv(firstRun.mediaServer) },
    });

    expect(second.mediaServer.url).toBe(url);
    for (const program of ['media-server', 'agent'] as const)
      await expect(second.logOf(program)).rejects.toThrow('ENOENT');
    const { id } = await second.make('/v1/agents', {
      name: FIRST_AVATAR.name,
      avatar_id: FIRST_AVATAR.alias,
    });
    const call = await second.api('/v1/calls', { method: 'POST', body: { agent_id: id } });
    expect(call.status).toBe(503);
    expect(await call.json()).toMatchObject({ reason: 'no_agent_worker' });

    const pids = await Promise.all(PROGRAMS.map((name) => firstRun.pid(name)));
    firstRun.supervisor.kill('SIGKILL');
    for (const pid of pids) await gone(pid, PATIENCE_MS);
    const secondRun = await started({ dataDir, env: NO_AGENTS });
    expect(secondRun.mediaServer).toMatchObject({ apiKey, apiSecret });
    expect(await filesOpenToOthers(folder)).toEqual([]);
  });
});
