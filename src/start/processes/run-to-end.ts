import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Guard } from './guard.ts';
import { endGroup, ownGroup } from './process-group.ts';

type Run = {
  cwd: string;
  env: Record<string, string | undefined>;
  guard: Guard;
  signal?: AbortSignal | undefined;
};

/**
 * Runs a Node program with all its children. Throws what it wrote if it fails; the signal kills it.
 */
export async function runToEnd(args: string[], { cwd, env, guard, signal }: Run): Promise<void> {
  signal?.throwIfAborted();
  const child = spawn(process.execPath, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: ownGroup,
  });
  guard.watch(child.pid);
  const onAbort = () => endGroup(child.pid, 'SIGKILL');
  signal?.addEventListener('abort', onAbort, { once: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  guard.forget(child.pid);
  signal?.removeEventListener('abort', onAbort);
  signal?.throwIfAborted();
  if (code !== 0) throw new Error(output.trim());
}
