/*
 * A machine without Docker: Debian booted with its own systemd in a container (systemd-nspawn),
 * without a network beside loopback. Its tools and its base system are cached outside the
 * repository.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../support/until.ts';

const execute = promisify(execFile);

const CACHE = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  'troupe/deploy/systemd',
);
const SUITE = 'bookworm';
const MIRROR = 'http://deb.debian.org/debian';
const PACKAGES = ['systemd', 'systemd-sysv', 'dbus', 'ca-certificates'];
/**
 * The machine's address on its only network, which leads nowhere: WebRTC ignores loopback. Reserved
 * for documentation.
 */
export const ADDRESS = '192.0.2.1';

const OPTIONS = [
  '--boot',
  '--register=no',
  '--keep-unit',
  '--private-network',
  '--quiet',
  '--console=passive',
];

const BOOT_MS = 60_000;
const STOP_MS = 60_000;
/**
 * Before these nothing can be started. `degraded`: a unit of Debian's failed, as some do in
 * containers.
 */
const BOOTED = ['running', 'degraded'];

export type Output = { stdout: string; stderr: string; code: number };

/** Debian packages unpacked into the cache, unless the program is on the PATH. */
async function findTool(name: string, packages: string[]): Promise<string> {
  const isInstalled = await execute('which', [name]).then(
    () => true,
    () => false,
  );
  if (isInstalled) return name;
  const folder = path.join(CACHE, 'tools', name);
  const program = path.join(folder, 'usr/bin', name);
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  const loaded = await mkdtemp(path.join(tmpdir(), 'troupe-debs-'));
  try {
    await execute('apt-get', ['download', ...packages], { cwd: loaded });
    for (const file of globSync('*.deb', { cwd: loaded }))
      await execute('dpkg', ['-x', path.join(loaded, file), folder]);
  } finally {
    await rm(loaded, { recursive: true });
  }
  return program;
}

/** The base system as a tar file. */
async function findBase(): Promise<string> {
  const file = path.join(CACHE, `${SUITE}.tar`);
  if (existsSync(file)) return file;
  await mkdir(CACHE, { recursive: true });
  const mmdebstrap = await findTool('mmdebstrap', ['mmdebstrap']);
  const part = `${file}.part.tar`;
  const include = `--include=${PACKAGES.join(',')}`;
  await execute(mmdebstrap, ['--variant=minbase', include, SUITE, part, MIRROR]);
  await rename(part, file);
  return file;
}

type MachineOptions = {
  /** Read-only folders and files: path on this machine to path in the container. */
  binds: Record<string, string>;
  /** Programs that every user may run, likewise. */
  programs: Record<string, string>;
};

/** The owner closes it. */
export class Machine {
  readonly root: string;
  readonly #process: ChildProcess;
  readonly #init: number;

  static async boot({ binds, programs }: MachineOptions): Promise<Machine> {
    const [nspawn, base] = await Promise.all([
      findTool('systemd-nspawn', ['systemd-container', 'libsystemd-shared']),
      findBase(),
    ]);
    const root = await mkdtemp(path.join(tmpdir(), 'troupe-machine-'));
    await execute('tar', ['-xf', base, '-C', root, '--exclude=./dev/*']);
    for (const [from, to] of Object.entries(programs))
      await execute('install', ['-D', '-m', '0755', from, path.join(root, to)]);
    // Nice, as services may be: a user other than root cannot take that back.
    const container = spawn(
      'nice',
      [
        '--adjustment=10',
        nspawn,
        ...OPTIONS,
        `--directory=${root}`,
        ...Object.entries(binds).map(([from, to]) => `--bind-ro=${realpathSync(from)}:${to}`),
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    const machine = new Machine(root, container, await initOf(container));
    await machine.#connect();
    await until(async () => BOOTED.includes(await machine.state()), BOOT_MS);
    return machine;
  }

  private constructor(root: string, container: ChildProcess, init: number) {
    this.root = root;
    this.#process = container;
    this.#init = init;
  }

  /** A network card with a peer in the same machine. */
  async #connect(): Promise<void> {
    const ip = (...args: string[]) =>
      execute('nsenter', ['--target', `${this.#init}`, '--net', 'ip', ...args]);
    await ip('link', 'add', 'net0', 'type', 'veth', 'peer', 'name', 'net1');
    await ip('address', 'add', `${ADDRESS}/24`, 'dev', 'net0');
    for (const card of ['net0', 'net1']) await ip('link', 'set', card, 'up');
    await ip('route', 'add', 'default', 'dev', 'net0');
  }

  /** Runs a command in the machine, as root. */
  async try(...command: string[]): Promise<Output> {
    const args = ['--target', `${this.#init}`, '--all', '--', ...command];
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' };
    return new Promise((resolve) => {
      const options = { env, maxBuffer: 64 * 1024 ** 2 };
      execFile('nsenter', args, options, (error, stdout, stderr) =>
        resolve({ stdout, stderr, code: Number(error?.code ?? 0) }),
      );
    });
  }

  /** Rejects if the command fails. */
  async run(...command: string[]): Promise<string> {
    const { stdout, stderr, code } = await this.try(...command);
    if (code !== 0)
      throw new Error(`${command.join(' ')} exited with ${code}:\n${stdout}${stderr}`);
    return stdout;
  }

  /** The state of the whole system. */
  async state(): Promise<string> {
    return (await this.try('systemctl', 'is-system-running')).stdout.trim();
  }

  /** A property of a unit. */
  async property(unit: string, name: string): Promise<string> {
    return (await this.run('systemctl', 'show', '--value', '--property', name, unit)).trim();
  }

  async close(): Promise<void> {
    if (this.#process.exitCode === null) {
      const exited = once(this.#process, 'exit');
      // Shuts the machine down.
      this.#process.kill('SIGTERM');
      const kill = setTimeout(() => this.#process.kill('SIGKILL'), STOP_MS);
      await exited;
      clearTimeout(kill);
    }
    await rm(this.root, { recursive: true, force: true });
  }
}

/** Process id of the container's first process on this machine. */
async function initOf({ pid }: ChildProcess): Promise<number> {
  let init = 0;
  await until(() => {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    init = Number(children.trim().split(' ')[0]);
    return init > 0 && readFileSync(`/proc/${init}/comm`, 'utf8').trim() === 'systemd';
  }, BOOT_MS);
  return init;
}
