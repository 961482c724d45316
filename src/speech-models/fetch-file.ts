import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { OperatorError } from '#shared/process/operator-error.ts';

type FileOrder = {
  url: string;
  /** The file to write. Parts of it are kept beside it until it is complete. */
  file: string;
  bytes: number;
  sha256: string;
  signal: AbortSignal;
  /** `share`: 0 to 1. */
  onProgress: (share: number) => void;
};

/** Fetches a file that is known by its checksum, and continues an earlier attempt. */
export async function fetchFile(order: FileOrder): Promise<void> {
  const { url, file, bytes, sha256, signal, onProgress } = order;
  const part = `${file}.part`;
  await mkdir(path.dirname(file), { recursive: true });
  if ((await sizeOf(part)) > bytes) await rm(part);
  if ((await sizeOf(part)) < bytes) await append(part, order);
  onProgress(1);

  const size = await sizeOf(part);
  if (size < bytes)
    throw new OperatorError(`${url} ended after ${size} of ${bytes} bytes. Try again to continue.`);
  const actualSum = await checksumOf(part, signal);
  if (size === bytes && actualSum === sha256) return rename(part, file);
  await rm(part);
  throw new OperatorError(`${url} is not the file that Troupe knows (SHA-256 ${actualSum}).`);
}

async function append(part: string, { url, bytes, signal, onProgress }: FileOrder): Promise<void> {
  const had = await sizeOf(part);
  const headers = had > 0 ? { range: `bytes=${had}-` } : {};
  let response: Response;
  try {
    response = await fetch(url, { headers, signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw new OperatorError(`${url} cannot be reached.`, { cause });
  }
  if (!response.ok || !response.body) throw new OperatorError(`${url} answers ${response.status}.`);
  // A server that knows no ranges sends the whole file.
  const continues = response.headers.get('content-range')?.startsWith(`bytes ${had}-`) === true;
  let size = continues ? had : 0;
  let breakage: unknown;
  const { body } = response;
  const received = async function* () {
    try {
      for await (const chunk of body) {
        size += chunk.length;
        // Never more than what is expected: the disk may be small.
        if (size > bytes) throw new OperatorError(`${url} is larger than ${bytes} bytes.`);
        onProgress(size / bytes);
        yield chunk;
      }
    } catch (cause) {
      // Ends the file; a failed pipeline would discard the chunks that are not yet written.
      breakage = cause;
    }
  };
  const target = createWriteStream(part, { flags: continues ? 'a' : 'w' });
  await pipeline(received, target, { signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOSPC') throw new OperatorError('The disk is full.', { cause });
    throw cause;
  });
  signal.throwIfAborted();
  if (breakage instanceof OperatorError) throw breakage;
  if (breakage !== undefined)
    throw new OperatorError(
      `The connection to ${new URL(url).host} broke after ${size} of ${bytes} bytes. Try again to continue.`,
      { cause: breakage },
    );
}

const sizeOf = async (file: string): Promise<number> =>
  (await stat(file).catch(() => null))?.size ?? 0;

async function checksumOf(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash, { signal });
  return hash.digest('hex');
}
