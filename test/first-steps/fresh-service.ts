import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '#shared/process/child-environment.mjs';
import { freeMediaPorts } from '../../src/start/media-server/media-server-ports.ts';
import { freePort, randomPort } from '../support/processes/free-port.ts';
import { until } from '../support/until.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Packages, and perhaps the media server, come over the network. */
const START_MS = 600_000;
const EXAMPLE_MS = 300_000;

/** A program in the clone, and what it has printed. */
export type Running = { process: ChildProcess; output: () => string };

/** `npm start` in a fresh clone of the last commit. */
export class FreshService {
  readonly address: string;
  readonly #clone: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #start: Running;

  static async start(folder: string): Promise<FreshService> {
    const clone = path.join(folder, 'troupe');
    const git = spawn('git', ['clone', '--quiet', ROOT, clone], { stdio: 'inherit' });
    const [code] = await once(git, 'exit');
    if (code !== 0) throw new Error('git clone failed');
    const env = {
      ...childEnvironment(process.env, ['npm_*']),
      PORT: String(await freePort()),
      LIVEKIT_PORT: String(await freeMediaPorts(randomPort())),
    };
    const service = new FreshService(clone, env);
    await service.#prints(service.#start, /Ctrl-C stops it/, START_MS);
    return service;
  }

  private constructor(clone: string, env: NodeJS.ProcessEnv) {
    this.#clone = clone;
    this.#env = env;
    this.address = `http://127.0.0.1:${env['PORT']}`;
    this.#start = this.run('npm', 'start');
  }

  /** A part of what `npm start` printed. */
  printed(pattern: RegExp): string {
    const match = pattern.exec(this.#start.output());
    if (!match) throw new Error(`npm start did not print ${pattern}`);
    return match[1] ?? match[0];
  }

  get apiKey(): string {
    return this.printed(/API key +(troupe_\w+)/);
  }

  /** Runs a program in the clone, in a process group of its own. */
  run(command: string, ...args: string[]): Running {
    const child = spawn(command, args, { cwd: this.#clone, env: this.#env, detached: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => (output += text));
    return { process: child, output: () => output };
  }

  /** `npm run example -- NAME`, once it has printed this. */
  async example(name: string, pattern: RegExp): Promise<Running & { match: string }> {
    const running = this.run('npm', 'run', 'example', '--', name);
    return { ...running, match: await this.#prints(running, pattern, EXAMPLE_MS) };
  }

  async make<Body>(pathname: string, body: object): Promise<Body> {
    const reply = await fetch(new URL(pathname, this.address), {
      method: 'POST',
      headers: { 'x-api-key': this.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${pathname} answered ${reply.status}`);
    return (await reply.json()) as Body;
  }

  stop(): Promise<void> {
    return end(this.#start);
  }

  async #prints({ process, output }: Running, pattern: RegExp, patienceMs: number) {
    await until(() => pattern.test(output()) || process.exitCode !== null, patienceMs);
    const match = pattern.exec(output());
    if (!match) throw new Error(`it did not print ${pattern}:\n${output()}`);
    return match[1] ?? match[0];
  }
}

/** As Ctrl-C does: npm passes the signal to nothing else. */
export async function end({ process: child }: Running): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const exit = once(child, 'exit');
  process.kill(-child.pid, 'SIGINT');
  await exit;
}
