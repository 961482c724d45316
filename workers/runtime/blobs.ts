import { createHash } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import { blobPath, MAX_BLOB_BYTES } from '#protocol/worker/blob-path.ts';

/** A blob could not be fetched from the control plane or stored there. */
export class BlobUnavailable extends Error {
  override readonly name = 'BlobUnavailable';
}

/** The control plane's blob store. */
export interface Blobs {
  /** Rejects with `BlobUnavailable`, also when the bytes do not match `hash`. */
  get(hash: string, signal?: AbortSignal): Promise<Uint8Array>;
  /** Returns the hash. */
  put(bytes: Uint8Array, signal?: AbortSignal): Promise<string>;
}

type BlobsOptions = {
  /** The control plane's address: http(s) or ws(s). */
  url: string;
  token: string;
  clock: Clock;
};

const TRANSFER_MS = 30_000;

export function controlBlobs({ url, token, clock }: BlobsOptions): Blobs {
  const request = async (hash: string, signal: AbortSignal | undefined, put?: Uint8Array) => {
    const address = new URL(blobPath(hash), url.replace(/^ws/, 'http'));
    const timeout = new AbortController();
    const cancel = clock.after(TRANSFER_MS, () => timeout.abort(new Error('timeout')));
    const headers = {
      authorization: `Bearer ${token}`,
      ...(put && { 'content-type': 'application/octet-stream' }),
    };
    try {
      const response = await fetch(address, {
        ...(put && { method: 'PUT', body: new Uint8Array(put) }),
        headers,
        redirect: 'error',
        signal: AbortSignal.any([...(signal ? [signal] : []), timeout.signal]),
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      return await read(response);
    } catch (cause) {
      throw new BlobUnavailable(`blob ${hash} is unavailable`, { cause });
    } finally {
      cancel();
    }
  };

  return {
    async get(hash, signal) {
      const bytes = await request(hash, signal);
      if (nameOf(bytes) !== hash) throw new BlobUnavailable(`blob ${hash} arrived damaged`);
      return bytes;
    },

    async put(bytes, signal) {
      const hash = nameOf(bytes);
      await request(hash, signal, bytes);
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
    if (size > MAX_BLOB_BYTES) throw new Error('larger than the limit for blobs');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
