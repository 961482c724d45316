import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from '../exit-codes.ts';

const TYPES: Partial<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
};

export async function readPicture(file: string): Promise<Blob> {
  const type = TYPES[path.extname(file).toLowerCase()];
  if (!type) {
    throw new CliError(
      `'${file}' is no picture that can be used: take a JPEG, PNG or WebP file.`,
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
