/** Path where workers download and upload blobs, with `Authorization: Bearer WORKER_TOKEN`. */
export const BLOBS_PATH = '/worker-blobs';

export const blobPath = (hash: string): string => `${BLOBS_PATH}/${hash}`;

/** Upload limit. Bundles are the largest blobs. */
export const MAX_BLOB_BYTES = 32 * 1024 ** 2;
