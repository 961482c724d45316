import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { inTime } from '#shared/clock.ts';
import { fetchProblem } from '#shared/network/fetch-problem.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError } from '../exit-codes.ts';

/** The time limit of a request ends with the head of its answer. */
const ARRIVAL_MS = 30_000;

const TYPES: Partial<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.jfif': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.heic': 'image/heic',
  '.heif': 'image/heif',
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.tif': 'image/tiff',
  '.tiff': 'image/tiff',
};

export async function readPicture(file: string): Promise<Blob> {
  const type = TYPES[path.extname(file).toLowerCase()];
  if (!type) {
    throw new CliError(
      `'${file}' is not a usable picture: use a JPEG, PNG, WebP, HEIC, AVIF, GIF or TIFF file.`,
      2,
    );
  }
  const picture = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    throw new CliError(`The picture '${file}' cannot be read (${cause.code}): check its path.`, 2, {
      cause,
    });
  });
  return new Blob([picture], { type });
}

/** The picture that a request answers with. */
export async function receivePicture(
  context: CliContext,
  send: (signal: AbortSignal) => Promise<Response>,
): Promise<Uint8Array> {
  const stop = new AbortController();
  const response = await send(stop.signal);
  try {
    return await inTime(context.clock, ARRIVAL_MS, response.bytes(), late);
  } catch (cause) {
    throw new CliError(
      `The download of the picture was interrupted (${fetchProblem(cause)}): try again.`,
      3,
      { cause },
    );
  } finally {
    stop.abort();
  }
}

const late = (): Error => new Error('no answer in time');

/** Replaces a file that exists. */
export async function writePicture(file: string, picture: Uint8Array): Promise<void> {
  await writeFile(file, picture).catch((cause: NodeJS.ErrnoException) => {
    throw new CliError(
      `The picture cannot be written to '${file}' (${cause.code}): name another file with --output.`,
      2,
      { cause },
    );
  });
}
