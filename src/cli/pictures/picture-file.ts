import { writeFile } from 'node:fs/promises';
import { CliError } from '../exit-codes.ts';

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
