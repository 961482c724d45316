import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { command } from '../command.ts';
import { root, type Engine } from '../docker/engine.ts';
import { inside, SERVER } from '../docker/network.ts';
import { SERVICES } from '../docker/stand-ins.ts';
import { expectThat } from '../expect-that.ts';
import type { Transcript } from '../transcript.ts';

type Container = {
  service: string;
  code: number;
  finishedAt: string;
};

const IGNORE = '.dockerignore';
/** Not what a person's own ./setup has made. */
const isShared = (file: string): boolean =>
  !/compose\/(\.env|data|authority)$|src\/web\/dist$/.test(file);

const BUILT_SERVICES = [
  'control-1',
  'control-2',
  'backup',
  'avatar-worker',
  'agent-worker',
  'media-server',
];

/** The targets of deploy/Dockerfile that compose.yaml builds. */
export const STACK_TARGETS = ['control', 'avatar-worker', 'agent-worker', 'media-server'];

/** deploy/compose in a copy, as `./setup` prepares it with these answers. */
export class Stack {
  readonly #engine: Engine;
  readonly #folder: string;
  readonly #overrides: Record<string, object> = {};

  private constructor(engine: Engine, folder: string) {
    this.#engine = engine;
    this.#folder = folder;
  }

  /** A copy, because a person may run the one in the repository. */
  static async prepare(answers: string[], engine: Engine, transcript: Transcript): Promise<Stack> {
    const copy = await mkdtemp(path.join(tmpdir(), 'troupe-compose-'));
    transcript.atEnd('remove the copy', () => rm(copy, { recursive: true }));
    // Links stay as they are: with another target, the copy would differ from what the images
    // contain.
    const options = { recursive: true, filter: isShared, verbatimSymlinks: true };
    for (const name of await sharedNames())
      await cp(path.join(root, name), path.join(copy, name), options);
    const stack = new Stack(engine, path.join(copy, 'deploy/compose'));
    // As the images were built before: all steps are in the cache, because containers reach no
    // package registry here.
    for (const service of BUILT_SERVICES)
      await stack.override(service, { build: { network: 'host' } });
    await transcript.step('./setup', () => stack.#setup(...answers));
    const settings = await readFile(stack.file('.env'), 'utf8');
    const images = Object.entries(SERVICES).map(([name, tag]) => `${name}=${tag}`);
    const added = [...images, 'TROUPE_VERSION=test', 'DRAIN_SECONDS=5', ''].join('\n');
    await writeFile(stack.file('.env'), `${settings}${added}`);
    await transcript.step('./setup again keeps secrets and settings', async () => {
      await stack.#setup();
      for (const name of ['TROUPE_SECRET_KEY', 'POSTGRES_PASSWORD'])
        expectThat(settings.includes(`${name}=${await stack.setting(name)}\n`), `${name} changed`);
      expectThat((await stack.setting('STOP_GRACE')) === '50s', 'the grace does not follow');
      expectThat((await stack.setting('TROUPE_VERSION')) === 'test', 'a setting was lost');
    });
    return stack;
  }

  file(name: string): string {
    return path.join(this.#folder, name);
  }

  async setting(name: string): Promise<string> {
    const text = await readFile(this.file('.env'), 'utf8');
    return new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
  }

  /** Adds settings to a service of compose.yaml. */
  async override(service: string, settings: object): Promise<void> {
    this.#overrides[service] = settings;
    const file = this.file('compose.override.yaml');
    // JSON is YAML.
    await writeFile(file, JSON.stringify({ services: this.#overrides }));
  }

  async set(name: string, value: string): Promise<void> {
    await appendFile(this.file('.env'), `${name}=${value}\n`);
  }

  /** Starts all services, or those that are named, and waits until they are healthy. */
  up(...services: string[]): Promise<string> {
    return this.compose('up', '--build', '--detach', '--wait', ...services);
  }

  compose(...args: string[]): Promise<string> {
    return this.docker('compose', ...args);
  }

  docker(...args: string[]): Promise<string> {
    return this.#run('docker', args);
  }

  removeAtEnd(transcript: Transcript): void {
    transcript.atEnd('docker compose down', () =>
      this.compose('down', '--volumes', '--timeout', '0'),
    );
  }

  /** Names of complete backups, in order of time. */
  async backups(): Promise<string[]> {
    return (await this.inBackup('ls', '/data')).split(/\s+/).filter((name) => name.endsWith('Z'));
  }

  /** As the page /docs/one-machine says. */
  async operatorKey(name: string): Promise<string> {
    const line = ['node', 'src/start/commands/key.ts', '--name', name, '--scope', 'operator'];
    return (await this.compose('exec', '-T', 'control-1', ...line)).trim();
  }

  inBackup(program: string, ...args: string[]): Promise<string> {
    const line = ['run', '--rm', '--no-deps', '--entrypoint', program, 'backup', ...args];
    return this.compose(...line);
  }

  async containers(): Promise<Container[]> {
    const containers = await this.#inspect();
    return containers.map(({ Config, State }) => ({
      service: Config.Labels['com.docker.compose.service']!,
      code: State.ExitCode,
      finishedAt: State.FinishedAt,
    }));
  }

  async expectRestricted(): Promise<void> {
    const containers = await this.#inspect();
    expectThat(containers.length === 10, `${containers.length} containers`);
    for (const { Config, HostConfig } of containers) {
      const service = Config.Labels['com.docker.compose.service']!;
      expectThat(HostConfig.ReadonlyRootfs, `${service} can write its root`);
      expectThat(HostConfig.CapDrop?.includes('ALL'), `${service} keeps capabilities`);
      expectThat(!HostConfig.Privileged, `${service} is privileged`);
      expectThat(
        HostConfig.SecurityOpt?.includes('no-new-privileges:true'),
        `${service} may gain privileges`,
      );
      // User id of the person who ran ./setup: root, here.
      const isOwners = ['edge', 'caddy'].includes(service);
      expectThat(isOwners || !/^(0|root|$)/.test(Config.User), `${service} runs as root`);
    }
  }

  async #inspect(): Promise<Inspected[]> {
    const ids = (await this.compose('ps', '--all', '--quiet')).trim().split('\n');
    return JSON.parse(await this.docker('inspect', ...ids)) as Inspected[];
  }

  /** On the server, whose ports and addresses it checks. */
  #setup(...args: string[]): Promise<string> {
    return this.#run(...inside(SERVER.namespace, './setup', ...args));
  }

  #run(program: string, args: string[]): Promise<string> {
    return command(program, args, { cwd: this.#folder, env: this.#engine.env });
  }
}

/** Files that .dockerignore lets into an image; deploy/compose is in one of its folders. */
async function sharedNames(): Promise<string[]> {
  const lines = (await readFile(path.join(root, IGNORE), 'utf8')).split('\n');
  return [IGNORE, ...lines.flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))];
}

type Inspected = {
  Config: { User: string; Labels: Record<string, string> };
  State: { ExitCode: number; FinishedAt: string };
  HostConfig: {
    ReadonlyRootfs: boolean;
    Privileged: boolean;
    CapDrop: string[] | null;
    SecurityOpt: string[] | null;
  };
};
