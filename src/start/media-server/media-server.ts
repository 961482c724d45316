import { access, constants, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Guard } from '../processes/guard.ts';
import { cacheFolder } from '../cache-folder.ts';
import { buildMediaServer } from './media-server-build.ts';
import { downloadMediaServer } from './media-server-release.ts';
import type { Say } from '../messages/progress.ts';

/*
 * Finds the media server's binary: on PATH, in the cache, in LiveKit's release, or built by Go from
 * the module pinned in deploy/media-server, whose go.mod is the only place that names the version.
 * When a source fails, the next one is tried; when all fail, the error lists every reason.
 */
type MediaServerBinary = { file: string; source: 'path' | 'cache' | 'release' | 'go' };

type Search = {
  /** PATH, and the variables that locate the user's cache. */
  env: Record<string, string | undefined>;
  /** Ends a build when this process is killed. */
  guard?: Guard | undefined;
  say: Say;
  signal?: AbortSignal;
  /** Base URL of releases; another one in tests. */
  releases?: string;
  /** The Go module that pins the version, with the checksums of its releases. */
  moduleDir?: string;
};

class NoMediaServer extends Error {
  override readonly name = 'NoMediaServer';
}

const RELEASES = 'https://github.com/livekit/livekit/releases/download';
const MODULE_DIR = fileURLToPath(new URL('../../../deploy/media-server', import.meta.url));
const BINARY = process.platform === 'win32' ? 'livekit-server.exe' : 'livekit-server';

export async function findMediaServer(search: Search): Promise<MediaServerBinary> {
  const { env, guard, say, signal, moduleDir = MODULE_DIR, releases = RELEASES } = search;

  const binary = await locateMediaServer(env, moduleDir);
  if (binary) return binary;

  const version = await pinnedVersion(moduleDir);
  const cached = cachedFile(env, version);
  say(
    `No livekit-server on the PATH or in ${path.dirname(cached)}: downloading or building ${version} once.`,
  );
  const checksums = path.join(moduleDir, 'checksums.txt');
  const reasons: string[] = [];
  const sources = [
    [
      'release',
      () => downloadMediaServer({ version, file: cached, releases, checksums, say, signal }),
    ],
    ['go', () => buildMediaServer({ moduleDir, file: cached, env, guard, say, signal })],
  ] as const;
  for (const [source, get] of sources) {
    try {
      await get();
      return { file: cached, source };
    } catch (error) {
      signal?.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      say(reason);
      reasons.push(reason);
    }
  }
  throw new NoMediaServer(
    [
      'No media server is available:',
      '- PATH: livekit-server was not found',
      ...reasons.map((reason) => `- ${reason}`),
      'Connect this machine to a network once, install livekit-server (https://docs.livekit.io) or Go (https://go.dev/dl), or set LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET to a running media server.',
    ].join('\n'),
  );
}

/** The binary on PATH, else in the cache. Null if a start must get one. */
export async function locateMediaServer(
  env: Search['env'],
  moduleDir = MODULE_DIR,
): Promise<MediaServerBinary | null> {
  const onPath = await findOnPath(env);
  if (onPath) return { file: onPath, source: 'path' };
  const cached = cachedFile(env, await pinnedVersion(moduleDir));
  return (await isExecutable(cached)) ? { file: cached, source: 'cache' } : null;
}

const cachedFile = (env: Search['env'], version: string): string =>
  path.join(mediaServers(env), `${version}-${process.platform}-${process.arch}`, BINARY);

/** The version in go.mod, without its `v`. */
export async function pinnedVersion(moduleDir = MODULE_DIR): Promise<string> {
  const text = await readFile(path.join(moduleDir, 'go.mod'), 'utf8');
  const version = /github\.com\/livekit\/livekit-server v(\S+)/.exec(text)?.[1];
  if (!version) throw new Error(`${moduleDir}/go.mod names no version of livekit-server`);
  return version;
}

async function findOnPath(env: Search['env']): Promise<string | null> {
  for (const folder of (env['PATH'] ?? '').split(path.delimiter).filter(Boolean)) {
    const file = path.join(folder, BINARY);
    if (await isExecutable(file)) return file;
  }
  return null;
}

function mediaServers(env: Search['env']): string {
  const folder = cacheFolder(env);
  if (folder === null)
    throw new NoMediaServer('Neither HOME nor XDG_CACHE_HOME says where to keep the media server.');
  return path.join(folder, 'media-server');
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
