import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { until } from '../../support/until.ts';

/** A worker that never registers. The number marks it among all processes. */
const WORKER = `sleep 86400.${process.pid}`;
const START_MS = 60_000;

/** Stops the kit while it waits for a worker. Returns what is wrong: it leaves no process. */
export async function stopInBetween(): Promise<string[]> {
  const kit = spawn(
    process.execPath,
    ['--import', 'tsx', 'test/conformance/main.ts', '--cmd', WORKER],
    { stdio: 'ignore' },
  );
  const exited = once(kit, 'exit');
  await until(() => workers() === 1, START_MS);
  kit.kill('SIGTERM');
  const [code] = (await exited) as [number | null];
  const remaining = workers();
  return [
    ...(code === 130 ? [] : [`a stopped kit exits with ${code}`]),
    ...(remaining === 0 ? [] : [`a stopped kit leaves ${remaining} workers`]),
  ];
}

const workers = (): number =>
  globSync('/proc/[0-9]*/cmdline').filter((file) => commandOf(file) === WORKER).length;

function commandOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    // It has exited meanwhile.
    return '';
  }
}
