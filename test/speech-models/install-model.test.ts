import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { installModel, isInstalled } from '../../src/speech-models/install-model.ts';
import type { SpeechModel } from '../../src/speech-models/models.ts';
import { listen } from '../support/loopback.ts';

const NAME = 'toy-model';
/** Cannot be packed, so that the archive has some size. */
const SOUND = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * i * 7919) >> 5));

/** A Python that makes environments and installs packages in no time. */
const PYTHON = `#!/bin/sh
if [ -e "$(dirname "$0")/full" ]; then echo "OSError: No space left on device" >&2; exit 1; fi
if [ "$2" = tarfile ]; then exec python3 "$@"; fi
echo "$@" >> "$(dirname "$0")/calls"
if [ -e "$(dirname "$0")/refuses" ]; then echo "No matching distribution found" >&2; exit 1; fi
if [ "$2" = venv ]; then mkdir -p "$3/bin" && cp "$0" "$3/bin/python"; fi
`;

let folder: string;
let python: string;
let dataDir: string;
let archive: Buffer;
let model: SpeechModel;
/** Ranges that were asked for. */
let asked: (string | undefined)[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let shares: number[];
/** Breaks the connection that serves the archive. */
let cut: () => void;
const server = createServer((request, response) => {
  asked.push(request.headers.range);
  answer(request, response);
});

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-models-'));
  dataDir = path.join(folder, 'data');
  asked = [];
  shares = [];
  cut = () => {};
  answer = sendRange;
  python = path.join(folder, 'python');
  await writeFile(python, PYTHON);
  await chmod(python, 0o755);
  const packed = path.join(folder, NAME);
  await mkdir(packed);
  await writeFile(path.join(packed, 'encoder.onnx'), SOUND);
  await writeFile(path.join(packed, 'unwanted.wav'), 'no');
  const file = path.join(folder, `${NAME}.tar.bz2`);
  execFileSync('python3', ['-m', 'tarfile', '-c', file, NAME], { cwd: folder });
  archive = await readFile(file);
  model = {
    id: 'toy',
    languages: ['de'],
    isStreaming: true,
    archive: `${NAME}.tar.bz2`,
    address: `http://127.0.0.1:${await listen(server)}/models`,
    bytes: archive.length,
    sha256: createHash('sha256').update(archive).digest('hex'),
    keeps: ['encoder.onnx'],
    licence: 'MIT',
    source: 'a test',
  };
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

/** As release servers do. */
function sendRange({ headers, url }: IncomingMessage, response: ServerResponse): void {
  if (!url?.endsWith(`/${NAME}.tar.bz2`)) return void response.writeHead(404).end();
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
  if (from > 0)
    response.writeHead(206, {
      'content-range': `bytes ${from}-${archive.length - 1}/${archive.length}`,
    });
  response.end(archive.subarray(from));
}

/** The connection breaks half-way, once the client has received something of it. */
function sendHalf(_: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-length': archive.length });
  response.write(archive.subarray(0, archive.length / 2));
  cut = () => response.destroy();
}

const install = (mirror?: string, signal = new AbortController().signal) =>
  installModel(model, {
    dataDir,
    mirror,
    signal,
    python,
    onProgress: (share) => {
      shares.push(share);
      cut();
    },
  });

const installed = () => readFile(path.join(dataDir, 'speech-models/toy/encoder.onnx'));
const files = async () => {
  const names = await readdir(path.join(dataDir, 'speech-models'));
  return names.filter((name) => name !== 'python');
};
const runtime = () => readdir(path.join(dataDir, 'speech-models/python'));

// The stand-in for Python is a shell script.
describe.skipIf(process.platform === 'win32')('a speech model', () => {
  test('is fetched with progress, unpacked, and kept without the rest', async () => {
    await install();

    expect(await installed()).toEqual(SOUND);
    expect(isInstalled(dataDir, model)).toBe(true);
    expect(await readdir(path.join(dataDir, 'speech-models/toy'))).toEqual([
      'encoder.onnx',
      'model.json',
      'ready',
    ]);
    expect(
      JSON.parse(await readFile(path.join(dataDir, 'speech-models/toy/model.json'), 'utf8')),
    ).toEqual({ languages: ['de'], isStreaming: true });
    expect(await files()).toEqual(['toy']);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  test('is fetched once, and so are the packages that run it', async () => {
    await install();
    await install();

    expect(asked).toHaveLength(1);
    const installed = await readFile(path.join(dataDir, 'speech-models/python/bin/calls'), 'utf8');
    expect(installed).toMatch(
      /^-m pip install --require-hashes .* -r \S+speech-models\/requirements\.txt\n$/,
    );
  });

  test('is not fetched when its packages are refused, and later is', async () => {
    await writeFile(path.join(folder, 'refuses'), '');
    await expect(install()).rejects.toThrow('No matching distribution found');
    expect(asked).toEqual([]);
    expect(await runtime()).not.toContain('ready');

    await rm(path.join(folder, 'refuses'));
    await install();

    expect(await runtime()).toContain('ready');
    expect(await installed()).toEqual(SOUND);
  });

  test('is unpacked from the archive that was fetched, once the disk has space again', async () => {
    await install();
    await rm(path.join(dataDir, 'speech-models/toy'), { recursive: true });
    await writeFile(path.join(folder, 'full'), '');
    await expect(install()).rejects.toThrow('No space left on device');
    expect(isInstalled(dataDir, model)).toBe(false);

    await rm(path.join(folder, 'full'));
    await install();

    expect(asked).toHaveLength(2);
    expect(await installed()).toEqual(SOUND);
  });

  test('needs Python', async () => {
    python = path.join(folder, 'nowhere');

    await expect(install()).rejects.toThrow('needs Python 3');
  });

  test('is continued after a cut', async () => {
    answer = sendHalf;
    await expect(install()).rejects.toThrow('broke after');
    expect(isInstalled(dataDir, model)).toBe(false);

    answer = sendRange;
    await install();

    expect(asked[0]).toBeUndefined();
    expect(asked[1]).toMatch(/^bytes=[1-9]\d*-$/);
    expect(await installed()).toEqual(SOUND);
  });

  test('is fetched anew after a cut by a server that knows no ranges', async () => {
    answer = sendHalf;
    await expect(install()).rejects.toThrow('broke after');

    answer = (_, response) => void response.end(archive);
    await install();

    expect(await installed()).toEqual(SOUND);
  });

  test('comes from a mirror', async () => {
    const mirror = model.address.replace('/models', '/mirror/');
    model = { ...model, address: 'http://127.0.0.1:9/nowhere' };

    await install(mirror);

    expect(await installed()).toEqual(SOUND);
  });

  test('is refused with another checksum, and nothing of it is kept', async () => {
    model = { ...model, sha256: 'a'.repeat(64) };

    await expect(install()).rejects.toThrow('is not the file that Troupe knows');
    expect(await files()).toEqual([]);
  });

  test('is refused when it is larger than the file that Troupe knows', async () => {
    model = { ...model, bytes: 1_000 };

    await expect(install()).rejects.toThrow('is larger than 1000 bytes');
  });

  test.each([
    [
      'is not there',
      (_: unknown, response: ServerResponse) => response.writeHead(404).end(),
      '404',
    ],
    [
      'is shorter',
      (_: unknown, response: ServerResponse) => response.end('short'),
      'ended after 5',
    ],
  ])('is not installed when it %s', async (_, respond, problem) => {
    answer = respond;

    await expect(install()).rejects.toThrow(problem);
    expect(isInstalled(dataDir, model)).toBe(false);
  });

  test('is not installed when its server cannot be reached', async () => {
    await expect(install('http://127.0.0.1:9')).rejects.toThrow('cannot be reached');
  });

  test('is not installed when the command is ended', async () => {
    const stop = new AbortController();
    answer = () => stop.abort(new Error('ended'));

    await expect(install(undefined, stop.signal)).rejects.toThrow('ended');
  });
});
