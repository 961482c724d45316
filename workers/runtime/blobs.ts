import { createHash } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import { blobPath, MAX_BLOB_BYTES } from '#protocol/blob-path.ts';

/** A blob could not be got from the control plane, or not be put there. */
export class BlobUnavailable extends Error {
  override readonly name = 'BlobUnavailable';
}

/** The control plane's blobs, as workers reach them. */
export interface Blobs {
  /** Rejects with a `BlobUnavailable`, also when the bytes are not those of the name. */
  get(hash: string, signal?: AbortSignal): Promise<Uint8Array>;
  /** Answers their name. */
  put(bytes: Uint8Array, signal?: AbortSignal): Promise<string>;
}

export type BlobsOptions = {
  /** The control plane's address: http(s) or ws(s). */
  url: string;
  token: string;
  clock: Clock;
};

/** How long one may take on its way. */
const WITHIN_MS = 30_000;

export function controlBlobs({ url, token, clock }: BlobsOptions): Blobs {
  const ask = async (hash: string, signal: AbortSignal | undefined, put?: Uint8Array) => {
    const address = new URL(blobPath(hash), url.replace(/^ws/, 'http'));
    const tooLate = new AbortController();
    const cancel = clock.after(WITHIN_MS, () => tooLate.abort(new Error('took too long')));
    const headers = {
      authorization: `Bearer ${token}`,
      ...(put && { 'content-type': 'application/octet-stream' }),
    };
    try {
      const response = await fetch(address, {
        ...(put && { method: 'PUT', body: new Uint8Array(put) }),
        headers,
        redirect: 'error',
        signal: AbortSignal.any([...(signal ? [signal] : []), tooLate.signal]),
      });
      if (!response.ok) throw new Error(`answered ${response.status}`);
      return await read(response);
    } catch (cause) {
      throw new BlobUnavailable(`blob ${hash} not available`, { cause });
    } finally {
      cancel();
    }
  };

  return {
    async get(hash, signal) {
      const bytes = await ask(hash, signal);
      if (nameOf(bytes) !== hash) throw new BlobUnavailable(`blob ${hash} came damaged`);
      return bytes;
    },

    async put(bytes, signal) {
      const hash = nameOf(bytes);
      await ask(hash, signal, bytes);
      return hash;
    },
  };
}

/** SHA-256, in hex. */
export const nameOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

async function read(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BLOB_BYTES) throw new Error('larger than any blob');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
