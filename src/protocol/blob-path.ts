/** Where workers get and put blobs, under the control plane's address; with `Authorization: Bearer WORKER_TOKEN`. */
export const BLOBS_PATH = '/worker-blobs';

export const blobPath = (hash: string): string => `${BLOBS_PATH}/${hash}`;

/** The largest that a worker may put there: a bundle. */
export const MAX_BLOB_BYTES = 32 * 1024 ** 2;
