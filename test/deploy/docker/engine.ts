import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { command } from '../command.ts';
import { until } from '../../support/until.ts';
import { cache, compose, dockerPrograms, goProgram } from './tools.ts';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
const READY_MS = 120_000;

type BuildOrder = {
  dockerfile: string;
  target: string;
  tag: string;
  context: string;
  /** Values of its ARG lines. */
  args?: Record<string, string>;
};

/** Docker Engine with its own images, which it keeps for the next run. One at a time. */
export class Engine {
  readonly env: NodeJS.ProcessEnv;
  readonly #daemon: ChildProcess;
  readonly #folder: string;

  private constructor(env: NodeJS.ProcessEnv, daemon: ChildProcess, folder: string) {
    this.env = env;
    this.#daemon = daemon;
    this.#folder = folder;
  }

  /**
   * Without a namespace it builds: containers use the machine's network and no rule of its firewall
   * changes. In a namespace it runs containers with networks of their own.
   */
  static async start(namespace?: string): Promise<Engine> {
    const folder = await mkdtemp(path.join(tmpdir(), 'troupe-docker-'));
    const plugins = path.join(folder, 'config/cli-plugins');
    await mkdir(plugins, { recursive: true });
    await copyFile(await goProgram(compose), path.join(plugins, 'docker-compose'));
    const env = {
      ...(await dockerPrograms()),
      DOCKER_HOST: `unix://${folder}/socket`,
      DOCKER_CONFIG: path.join(folder, 'config'),
      DOCKER_BUILDKIT: '1',
    };
    // Not `ip netns exec`: it would hide the control groups.
    const [program, prefix] = namespace
      ? ['nsenter', [`--net=/run/netns/${namespace}`, 'dockerd']]
      : ['dockerd', ['--bridge=none', '--iptables=false']];
    const log = await open(path.join(folder, 'log'), 'w');
    const daemon = spawn(
      program,
      [
        ...prefix,
        `--data-root=${path.join(cache, 'engine')}`,
        `--exec-root=${path.join(folder, 'exec')}`,
        `--pidfile=${path.join(folder, 'pid')}`,
        `--host=${env.DOCKER_HOST}`,
        '--storage-driver=overlay2',
        '--exec-opt=native.cgroupdriver=cgroupfs',
        '--default-ulimit=nofile=20000:20000',
      ],
      { env, stdio: ['ignore', log.fd, log.fd] },
    );
    await log.close();
    const engine = new Engine(env, daemon, folder);
    await until(async () => {
      if (daemon.exitCode !== null) throw new Error(`dockerd ended: see ${folder}/log`);
      return engine.docker('version').then(
        () => true,
        () => false,
      );
    }, READY_MS);
    return engine;
  }

  docker(...args: string[]): Promise<string> {
    return command('docker', args, { cwd: root, env: this.env });
  }

  async build(order: BuildOrder): Promise<void> {
    const { dockerfile, target, tag, context, args = {} } = order;
    const file = ['--file', dockerfile, '--target', target, '--tag', tag];
    const values = Object.entries(args).flatMap(([name, value]) => [
      '--build-arg',
      `${name}=${value}`,
    ]);
    await this.docker('build', '--network', 'host', ...file, ...values, context);
  }

  async hasImage(tag: string): Promise<boolean> {
    return (await this.docker('images', '--quiet', tag)).trim() !== '';
  }

  async close(): Promise<void> {
    const exit = once(this.#daemon, 'exit');
    this.#daemon.kill('SIGTERM');
    await exit;
    // Left mounted by the network of the containers on the host's own.
    const mount = path.join(this.#folder, 'exec/netns/default');
    if (existsSync(mount)) await command('umount', [mount]);
    await rm(this.#folder, { recursive: true, force: true });
  }
}
