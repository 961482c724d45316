import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { withProgress, type Detail, type Say } from '../messages/progress.ts';

type ReleaseOrder = {
  version: string;
  /** Path of the binary to write. */
  file: string;
  releases: string;
  /** Names the archives that may be downloaded, with their SHA-256. */
  checksums: string;
  say: Say;
  signal?: AbortSignal | undefined;
  /** An unreachable host must not delay the start. */
  answerTimeoutMs?: number;
};

const STALL_MS = 20_000;
const MEGABYTE = 1024 * 1024;

/**
 * Downloads the release archive and unpacks its binary, if it is the very archive that this
 * repository names.
 */
export async function downloadMediaServer(order: ReleaseOrder): Promise<void> {
  const archive = archiveName(order.version);
  const from = `${order.releases}/v${order.version}`;
  try {
    const expectedSum = checksumOf(archive, await readFile(order.checksums, 'utf8'));
    const bytes = await withProgress(
      order.say,
      `Downloading ${archive} from ${new URL(from).host}`,
      (detail) => download(`${from}/${archive}`, order, detail),
    );
    const actualSum = createHash('sha256').update(bytes).digest('hex');
    if (actualSum !== expectedSum) {
      throw new Error(
        `${archive} is not what checksums.txt names (${actualSum}, not ${expectedSum}); refused`,
      );
    }
    await put(fileFromTar(gunzipSync(bytes), 'livekit-server'), order.file);
  } catch (error) {
    order.signal?.throwIfAborted();
    throw new Error(`release ${from}: ${reasonOf(error)}`, { cause: error });
  }
}

/** The name of LiveKit's release archive for this machine. */
export function archiveName(version: string): string {
  const system = { linux: 'linux' }[process.platform as string];
  const machine = { x64: 'amd64', arm64: 'arm64', arm: 'armv7' }[process.arch as string];
  if (!system || !machine) {
    throw new Error(
      `release: LiveKit publishes none for ${process.platform} ${process.arch} that can be used here`,
    );
  }
  return `livekit_${version}_${system}_${machine}.tar.gz`;
}

function checksumOf(archive: string, sums: string): string {
  for (const line of sums.split('\n')) {
    const [sum, name] = line.trim().split(/\s+\*?/);
    if (name === archive && sum && /^[0-9a-f]{64}$/.test(sum)) return sum;
  }
  throw new Error(`deploy/media-server/checksums.txt does not list ${archive}`);
}

async function download(url: string, order: ReleaseOrder, detail?: Detail): Promise<Buffer> {
  const patience = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const waitFor = (ms: number, failure: string) => {
    clearTimeout(timer);
    timer = setTimeout(() => patience.abort(new Error(`${failure} within ${ms / 1000} s`)), ms);
  };
  const signal = AbortSignal.any([patience.signal, ...(order.signal ? [order.signal] : [])]);
  try {
    waitFor(order.answerTimeoutMs ?? 4_000, 'no answer');
    const response = await fetch(url, { signal });
    if (!response.ok || !response.body) throw new Error(`${url} answered ${response.status}`);
    const total = Number(response.headers.get('content-length'));
    const chunks: Uint8Array[] = [];
    let received = 0;
    for await (const chunk of response.body) {
      waitFor(STALL_MS, 'nothing more came');
      chunks.push(chunk);
      received += chunk.length;
      detail?.(`${Math.round(received / MEGABYTE)} of ${Math.round(total / MEGABYTE) || '?'} MB`);
    }
    return Buffer.concat(chunks);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A tar archive is blocks of 512 bytes: a header (name at 0, size in octal at 124), then the file's
 * contents.
 */
function fileFromTar(tar: Buffer, fileName: string): Buffer {
  const text = (at: number, length: number) =>
    tar.toString('latin1', at, at + length).replace(/\0.*$/s, '');
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    if (path.posix.basename(text(at, 100)) === fileName)
      return tar.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`the archive does not contain ${fileName}`);
}

/** Writes by rename: another start may look for the file at the same time. */
async function put(bytes: Buffer, file: string): Promise<void> {
  const partial = `${file}.${process.pid}.partial`;
  await mkdir(path.dirname(file), { recursive: true });
  try {
    await writeFile(partial, bytes);
    await chmod(partial, 0o755);
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
}

/** `fetch` says only `fetch failed`; the reason is its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return cause ? `${error.message} (${cause})` : error.message;
}
