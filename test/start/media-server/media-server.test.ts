import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/shared/clock.ts';
import { Guard } from '../../../src/start/processes/guard.ts';
import { findMediaServer, pinnedVersion } from '../../../src/start/media-server/media-server.ts';
import { archiveName } from '../../../src/start/media-server/media-server-release.ts';

const NOWHERE = 'http://127.0.0.1:65534/download';

const guard = new Guard(systemClock);
afterAll(() => guard.close());

let folder: string;
let lines: string[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-media-server-'));
  lines = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const say = (line: string) => void lines.push(line);
const bin = () => path.join(folder, 'bin');
const moduleDir = () => path.join(folder, 'media-server');
const env = () => ({ PATH: bin(), XDG_CACHE_HOME: path.join(folder, 'cache') });
const cached = async () =>
  path.join(
    folder,
    'cache/troupe/media-server',
    `${await pinnedVersion()}-${process.platform}-${process.arch}`,
    'livekit-server',
  );

async function script(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  await chmod(file, 0o755);
}

describe('an installed media server', () => {
  test('is taken from PATH first', async () => {
    await script(path.join(bin(), 'livekit-server'), '');
    await script(await cached(), '');

    expect(await findMediaServer({ env: env(), guard, say })).toEqual({
      file: path.join(bin(), 'livekit-server'),
      source: 'path',
    });
  });

  test('is taken from the cache next, without output', async () => {
    await script(await cached(), '');

    expect(await findMediaServer({ env: env(), guard, say })).toEqual({
      file: await cached(),
      source: 'cache',
    });
    expect(lines).toEqual([]);
  });
});

describe("a media server from LiveKit's release", () => {
  let host: Server;
  let files: Map<string, Buffer>;

  beforeEach(async () => {
    files = new Map();
    host = createServer((request, reply) => {
      const file = files.get(request.url ?? '');
      reply.writeHead(file ? 200 : 404).end(file);
    });
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => new Promise((resolve) => host.close(resolve)));

  const releases = () => `http://127.0.0.1:${(host.address() as AddressInfo).port}/download`;
  const find = () =>
    findMediaServer({ env: env(), guard, say, releases: releases(), moduleDir: moduleDir() });

  /** Publishes a release, and a pinned module that names the checksum `sum`. */
  async function publish(options: { binary: string; sum?: string; name?: string }) {
    const version = await pinnedVersion();
    const archive = gzipSync(
      Buffer.concat([
        tarred('LICENSE', 'Apache-2.0'),
        tarred('livekit-server', options.binary),
        Buffer.alloc(1024),
      ]),
    );
    const sum = options.sum ?? createHash('sha256').update(archive).digest('hex');
    const name = archiveName(version);
    files.set(`/download/v${version}/${name}`, archive);
    await mkdir(moduleDir());
    await writeFile(
      path.join(moduleDir(), 'go.mod'),
      `require github.com/livekit/livekit-server v${version}\n`,
    );
    await writeFile(
      path.join(moduleDir(), 'checksums.txt'),
      `# A comment.\n${'0'.repeat(64)}  another.tar.gz\n${sum}  ${options.name ?? name}\n`,
    );
  }

  test('is unpacked when it is the archive that this repository names', async () => {
    await publish({ binary: '#!/bin/sh\necho the media server\n' });

    const mediaServer = await find();

    expect(mediaServer).toEqual({ file: await cached(), source: 'release' });
    expect(await readFile(mediaServer.file, 'utf8')).toBe('#!/bin/sh\necho the media server\n');
    expect((await stat(mediaServer.file)).mode & 0o777).toBe(0o755);
  });

  test('is refused, and nothing is kept, when the checksum differs', async () => {
    await publish({ binary: 'something else', sum: 'a'.repeat(64) });

    const search = find();

    await expect(search).rejects.toThrow(/is not what checksums.txt names .*refused/);
    await expect(stat(await cached())).rejects.toThrow('ENOENT');
  });

  test('is not downloaded when this repository does not name it, whatever its host says', async () => {
    await publish({ binary: 'x', name: 'another.tar.gz' });
    const version = await pinnedVersion();
    const sum = createHash('sha256').update('x').digest('hex');
    files.set(
      `/download/v${version}/checksums.txt`,
      Buffer.from(`${sum}  ${archiveName(version)}\n`),
    );

    await expect(find()).rejects.toThrow(
      `deploy/media-server/checksums.txt does not list ${archiveName(version)}`,
    );
  });

  test('has its checksum in this repository', async () => {
    const sums = await readFile('deploy/media-server/checksums.txt', 'utf8');

    expect(sums).toMatch(
      new RegExp(`^[0-9a-f]{64}  livekit_${await pinnedVersion()}_linux_amd64.tar.gz$`, 'm'),
    );
  });
});

describe('a media server built by Go', () => {
  test('is built from the pinned module, without cgo, when the release host is unreachable', async () => {
    await script(
      path.join(bin(), 'go'),
      // A stand-in for Go that writes its arguments to the file after -o.
      '#!/bin/sh\necho "CGO_ENABLED=$CGO_ENABLED $*" > "$5"\n',
    );

    const mediaServer = await findMediaServer({ env: env(), guard, say, releases: NOWHERE });

    expect(mediaServer).toEqual({ file: await cached(), source: 'go' });
    expect(await readFile(mediaServer.file, 'utf8')).toMatch(
      /^CGO_ENABLED=0 build -v .* github.com\/livekit\/livekit-server\/cmd\/server\n$/,
    );
    expect(lines.join('\n')).toContain('release http://127.0.0.1:65534/download');
  });

  test('reports the output of a failed build', async () => {
    await script(path.join(bin(), 'go'), '#!/bin/sh\necho "no space left" >&2\nexit 1\n');

    await expect(findMediaServer({ env: env(), guard, say, releases: NOWHERE })).rejects.toThrow(
      /Go: the build failed \(exit 1\):\nno space left/,
    );
  });
});

test('a missing media server is an error with all reasons and what to do', async () => {
  const search = findMediaServer({ env: env(), guard, say, releases: NOWHERE });

  await expect(search).rejects.toThrow(/PATH: livekit-server was not found/);
  await expect(search).rejects.toThrow(/release .*ECONNREFUSED/);
  await expect(search).rejects.toThrow(/Go: not installed/);
  await expect(search).rejects.toThrow(/set LIVEKIT_URL/);
});

/** One file of a tar archive: a header of 512 bytes and its contents, padded to blocks. */
function tarred(name: string, content: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 'latin1');
  header.write(content.length.toString(8).padStart(11, '0'), 124, 'latin1');
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  body.write(content, 'latin1');
  return Buffer.concat([header, body]);
}
