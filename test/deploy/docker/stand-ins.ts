/*
 * Stand-ins for the public images that deploy/ names, made of Debian's packages, Node's npm package
 * and Go programs: for machines that reach no image registry. The Dockerfile and compose.yaml stay
 * as they are.
 */
import { existsSync } from 'node:fs';
import {
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { findMediaServer, pinnedVersion } from '../../../src/start/media-server/media-server.ts';
import { command } from '../command.ts';
import type { Engine } from './engine.ts';
import { cache, caddy, dockerPrograms, goProgram } from './tools.ts';

const dockerfile = path.join(import.meta.dirname, '../stand-ins/Dockerfile');
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const BASE = 'debian:bookworm-slim';
const NODE = 'node:24-bookworm-slim';

/** As in Debian's own image: /usr is merged without `usrmerge`, which needs Perl. */
const MERGE_USR = `
  for name in bin sbin lib lib64; do mkdir -p "$1/usr/$name"; ln -s "usr/$name" "$1/$name"; done
  printf 'Package: usrmerge\\nPin: release *\\nPin-Priority: -1\\n' > "$1/etc/apt/preferences.d/usrmerge"`;

/** Leaves out what Debian's own slim image does. */
const SLIM = [
  `--setup-hook=${MERGE_USR}`,
  '--variant=minbase',
  '--include=ca-certificates,usr-is-merged,libstdc++6',
  ...['doc', 'man', 'locale', 'info', 'lintian'].map(
    (name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`,
  ),
  '--dpkgopt=path-include=/usr/share/doc/*/copyright',
];

/** Images for the settings of compose.yaml. */
export const SERVICES = {
  HAPROXY_IMAGE: 'troupe-test/haproxy',
  CADDY_IMAGE: 'troupe-test/caddy',
  POSTGRES_IMAGE: 'troupe-test/postgres',
  REDIS_IMAGE: 'troupe-test/redis',
};

/** The images that the Dockerfile starts from. */
export async function makeBaseImages(engine: Engine): Promise<void> {
  const system = await debianSystem();
  await importFolder(engine, system, BASE);
  // A copy with Node and npm.
  const folder = await mkdtemp(path.join(cache, 'node-'));
  await command('cp', ['-a', `${system}/.`, folder]);
  await copyFile(process.execPath, path.join(folder, 'usr/local/bin/node'));
  const npm = path.resolve(await realpath((await command('which', ['npm'])).trim()), '../..');
  const modules = path.join(folder, 'usr/local/lib/node_modules');
  await mkdir(modules, { recursive: true });
  await cp(npm, path.join(modules, 'npm'), { recursive: true });
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', path.join(folder, 'usr/local/bin/npm'));
  await mkdir(path.join(folder, 'usr/local/etc'), { recursive: true });
  await writeFile(path.join(folder, 'usr/local/etc/npmrc'), `cafile=${CERTIFICATES}\n`);
  await importFolder(engine, folder, NODE);
  await rm(folder, { recursive: true });

  const version = await pinnedVersion();
  const { file } = await findMediaServer({ env: process.env, say: (line) => console.log(line) });
  const release = await mkdtemp(path.join(cache, 'media-server-'));
  await copyFile(file, path.join(release, 'livekit-server'));
  await importFolder(engine, release, `livekit/livekit-server:v${version}`);
  await rm(release, { recursive: true });
}

export async function makeServiceImages(engine: Engine): Promise<void> {
  const context = await mkdtemp(path.join(cache, 'context-'));
  await copyFile(await goProgram(caddy), path.join(context, 'caddy'));
  const entrypoint = 'postgres-entrypoint.sh';
  await copyFile(path.join(path.dirname(dockerfile), entrypoint), path.join(context, entrypoint));
  for (const tag of Object.values(SERVICES)) {
    const target = path.basename(tag);
    if (!(await engine.hasImage(tag))) await engine.build({ dockerfile, target, tag, context });
  }
  await rm(context, { recursive: true });
}

/** Debian as a folder, with the machine's certificates: a proxy may have its own. */
async function debianSystem(): Promise<string> {
  const folder = path.join(cache, 'bookworm');
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  const env = await dockerPrograms();
  await command(
    'mmdebstrap',
    [...SLIM, 'bookworm', `${draft}.tar`, 'http://deb.debian.org/debian'],
    { env },
  );
  await mkdir(draft);
  await command('tar', ['-C', draft, '-xf', `${draft}.tar`]);
  await rm(`${draft}.tar`);
  await copyFile(CERTIFICATES, path.join(draft, CERTIFICATES));
  await rename(draft, folder);
  return folder;
}

async function importFolder(engine: Engine, folder: string, tag: string): Promise<void> {
  if (await engine.hasImage(tag)) return;
  const archive = `${folder}.import.tar`;
  await command('tar', ['-C', folder, '-cf', archive, '.']);
  await engine.docker('import', archive, tag);
  await rm(archive);
}
