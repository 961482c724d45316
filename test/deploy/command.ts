import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';

const KEPT_OUTPUT = 4_000;

/** Runs a program and resolves with its standard output. Rejects with the end of both outputs. */
export async function command(
  program: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<string> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let tail = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text) => (tail = `${tail}${text}`.slice(-KEPT_OUTPUT)));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  if (code === 0) return output;
  throw new Error(`${program} ${args.join(' ')}: exit ${code ?? signal}\n${tail}`);
}
