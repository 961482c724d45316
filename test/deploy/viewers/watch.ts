import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { inside } from '../docker/network.ts';

/**
 * Decoded frames of one second, and how many of them differ from the first of it by more than
 * coding noise.
 */
export type SeenSecond = { frames: number; moved: number; path?: string };

/** The encoder sends 25 a second. A busy machine shows fewer, and a face is still for moments. */
const MOVING = { frames: 5, moved: 2 };
const PATIENCE_MS = 90_000;

export type Viewer = {
  /** How media reaches the viewer, if its program says so. */
  readonly path: string | undefined;
  /** Milliseconds until the first second of moving pictures was complete. */
  readonly seenAfterMs: number;
  /** Resolves with the next second of moving pictures. */
  moving(): Promise<SeenSecond>;
  leave(): Promise<void>;
};

type Line = { namespace: string; program: string; args: string[]; env?: NodeJS.ProcessEnv };

/** Starts a viewer program in a namespace. Resolves when it sees moving pictures. */
export async function watchFrom({ namespace, program, args, env }: Line): Promise<Viewer> {
  const begunAt = performance.now();
  const [ip, line] = inside(namespace, process.execPath, program, ...args);
  const child = spawn(ip, line, {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text) => (errors = `${errors}${text}`.slice(-2_000)));
  const lines = createInterface({ input: child.stdout });
  const moving = async (): Promise<SeenSecond> => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    for (;;) {
      const [text] = (await once(lines, 'line', { signal }).catch(() => {
        throw new Error(`${program} saw no moving picture: ${errors || 'no error'}`);
      })) as [string];
      const second = JSON.parse(text) as SeenSecond;
      if (second.frames >= MOVING.frames && second.moved >= MOVING.moved) return second;
    }
  };
  const leave = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  let path: string | undefined;
  try {
    ({ path } = await moving());
  } catch (error) {
    await leave();
    throw error;
  }
  return { path, seenAfterMs: performance.now() - begunAt, moving, leave };
}
