import { Fault } from '../errors.ts';
import type { KnowledgeFile } from '../records/knowledge/knowledge-files.ts';
import type { PdfReader } from './pdf-reader.ts';

/** Bytes decoded at a time. */
const PART_BYTES = 256 * 1024;

type UploadedFile = Pick<KnowledgeFile, 'format' | 'accountId'> & {
  /** In bytes. */
  size: number;
  /** May be called more than once. */
  open: () => AsyncIterable<Uint8Array>;
};

type ExtractedText = { parts: Iterable<string> | AsyncIterable<string>; maxBytes: number };

/** This, or reading the parts, throws `invalid_parameter` if the bytes do not have the format. */
export async function readText(
  { format, accountId, size, open }: UploadedFile,
  pdfs: Pick<PdfReader, 'read'>,
  warn?: (warning: string) => void,
): Promise<ExtractedText> {
  switch (format) {
    case 'pdf': {
      const text = await pdfs.read(accountId, open, warn);
      return { parts: [text], maxBytes: Buffer.byteLength(text) };
    }
    case 'text':
      return { parts: decode(open()), maxBytes: size };
  }
}

async function* decode(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // The decoder drops a byte order mark.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PART_BYTES) {
      const bytes = chunk.subarray(at, at + PART_BYTES);
      yield decodePart(() => decoder.decode(bytes, { stream: true }));
    }
  }
  yield decodePart(() => decoder.decode());
}

function decodePart(decode: () => string): string {
  let text;
  try {
    text = decode();
  } catch {
    throw notText('they are not valid UTF-8');
  }
  if (text.includes('\0')) throw notText('they contain a NUL');
  return text;
}

const notText = (why: string): Fault =>
  new Fault('invalid_parameter', { detail: `The uploaded bytes are not text: ${why}.` });
