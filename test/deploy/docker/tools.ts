/*
 * Programs that the parts need, as Debian and the Go proxy have them. They are built once and kept
 * outside the repository; nothing is installed on the machine itself.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { command } from '../command.ts';

export const cache = path.join(
  process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
  'troupe/deploy',
);

/** With what the packages need and a minimal system lacks. */
const DOCKER = [
  'docker.io',
  'containerd',
  'runc',
  'tini',
  'mmdebstrap',
  'iptables',
  'libnftnl11',
  'libxtables12',
  'libip4tc2',
  'libip6tc2',
  'libnetfilter-conntrack3',
  'libnfnetlink0',
];

/** Unpacks packages of Debian into a folder of their own, once. */
export async function debianFiles(name: string, packages: readonly string[]): Promise<string> {
  const folder = path.join(cache, name);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  await command('apt-get', ['update', '-qq']);
  await command('apt-get', ['download', '-qq', ...packages], { cwd: draft });
  for (const file of await readdir(draft)) {
    if (!file.endsWith('.deb')) continue;
    await command('dpkg', ['-x', file, '.'], { cwd: draft });
    await rm(path.join(draft, file));
  }
  await rename(draft, folder);
  return folder;
}

/** Docker Engine, its client and mmdebstrap: the environment in which they run. */
export async function dockerPrograms(): Promise<NodeJS.ProcessEnv> {
  const debian = await debianFiles('docker', DOCKER);
  for (const name of ['iptables', 'ip6tables']) {
    const link = path.join(debian, 'usr/sbin', name);
    if (!existsSync(link)) await symlink('xtables-legacy-multi', link);
  }
  const libraries = path.join(debian, 'usr/lib/x86_64-linux-gnu');
  return {
    ...process.env,
    PATH: [`${debian}/usr/sbin`, `${debian}/usr/bin`, '/usr/sbin', process.env['PATH']].join(':'),
    LD_LIBRARY_PATH: libraries,
    XTABLES_LIBDIR: path.join(libraries, 'xtables'),
  };
}

type GoProgram = { name: string; module: string; version: string; package: string };

export const compose: GoProgram = {
  name: 'docker-compose',
  module: 'github.com/docker/compose/v2',
  version: 'v2.40.3',
  package: 'github.com/docker/compose/v2/cmd',
};

export const caddy: GoProgram = {
  name: 'caddy',
  module: 'github.com/caddyserver/caddy/v2',
  version: 'v2.11.9',
  package: 'github.com/caddyserver/caddy/v2/cmd/caddy',
};

/** An ACME authority for tests. */
export const pebble: GoProgram = {
  name: 'pebble',
  module: 'github.com/letsencrypt/pebble/v2',
  version: 'v2.10.1',
  package: 'github.com/letsencrypt/pebble/v2/cmd/pebble',
};

/** Resolves with the file of the program, which Go builds the first time. */
export async function goProgram(program: GoProgram): Promise<string> {
  const file = path.join(cache, 'bin', `${program.name}-${program.version}`, program.name);
  if (existsSync(file)) return file;
  const folder = path.join(cache, 'go', program.name);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'go.mod'), `module troupe.test/${program.name}\n\ngo 1.24\n`);
  // Keeps `go mod tidy` from removing the program.
  await writeFile(
    path.join(folder, 'pin.go'),
    `//go:build pin\n\npackage pin\n\nimport _ "${program.package}"\n`,
  );
  const go = (...args: string[]) =>
    command('go', args, { cwd: folder, env: { ...process.env, CGO_ENABLED: '0' } });
  await go('get', `${program.module}@${program.version}`);
  await go('mod', 'tidy');
  const draft = `${file}.${process.pid}`;
  await go('build', '-trimpath', '-ldflags=-s -w', '-o', draft, program.package);
  await rename(draft, file);
  return file;
}
