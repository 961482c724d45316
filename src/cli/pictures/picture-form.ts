import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from '../exit-codes.ts';

/* A multipart form with a picture, sent in pieces, so that its progress can be shown. */
const TYPES: Partial<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
};
const PIECE_BYTES = 64 * 1024;

type Form = { fields: Record<string, string>; file: string };

export async function pictureForm({ fields, file }: Form) {
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
  const boundary = `troupe-${randomUUID()}`;
  const head = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const preamble = `${head.join('')}--${boundary}\r\ncontent-disposition: form-data; name="picture"; filename="picture${path.extname(file).toLowerCase()}"\r\ncontent-type: ${type}\r\n\r\n`;
  const bytes = Buffer.concat([
    Buffer.from(preamble),
    picture,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    /** Calls `onSent` with the share that has left, 0 to 1. */
    body: (onSent: (share: number) => void) => inPieces(bytes, onSent),
  };
}

function inPieces(bytes: Buffer, onSent: (share: number) => void): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      onSent(at / bytes.length);
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + PIECE_BYTES));
      at += PIECE_BYTES;
    },
  });
}
