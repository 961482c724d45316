import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { CpuPressure } from './cpu-pressure.ts';

const { PRIORITY_LOW } = os.constants.priority;
const LOOP = PRIORITY_LOW - 1;

function threadsOf(pid: number): { priority: number; cores: string }[] {
  return readdirSync(`/proc/${pid}/task`).map((thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8');
    const cores = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)![1]!;
    return { priority: os.getPriority(Number(thread)), cores };
  });
}

// To raise a priority again takes a privilege.
test.runIf(process.getuid?.() === 0)('pressure on a process ends without a trace', async () => {
  const script = "console.log('here'); setInterval(() => {}, 1000)";
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = spawn(process.execPath, ['-e', script], { stdio: [...stdio] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const threadsBefore = threadsOf(child.pid!);

  const pressure = new CpuPressure(child.pid!, LOOP);
  const threadsDuring = threadsOf(child.pid!);
  const [loop] = threadsOf(pressure.loop);
  expect(pressure.increase()).toBe(true);
  const [raisedLoop] = threadsOf(pressure.loop);
  await pressure.end();

  expect(threadsBefore.length).toBeGreaterThan(1);
  expect(threadsDuring).toEqual(
    threadsBefore.map(() => ({ priority: PRIORITY_LOW, cores: threadsDuring[0]!.cores })),
  );
  expect(threadsDuring[0]!.cores).toMatch(/^\d+$/);
  expect([loop!.priority, raisedLoop!.priority]).toEqual([LOOP, LOOP - 1]);
  expect(threadsOf(child.pid!)).toEqual(threadsBefore);
  expect(existsSync(`/proc/${pressure.loop}`)).toBe(false);
});
