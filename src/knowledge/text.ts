import { Fault } from '../errors.ts';
import type { KnowledgeFile } from '../records/knowledge/knowledge-files.ts';
import type { PdfReader } from './pdf-reader.ts';

/**
 * Extracts the text of a file, which may be opened more than once. Throws `invalid_parameter` if
 * the bytes do not have the format.
 */
export function readText(
  { format, accountId }: Pick<KnowledgeFile, 'format' | 'accountId'>,
  open: () => AsyncIterable<Uint8Array>,
  pdfs: Pick<PdfReader, 'read'>,
): Promise<string> {
  switch (format) {
    case 'pdf':
      return pdfs.read(accountId, open);
    case 'text':
      return decode(open());
  }
}

async function decode(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  // The decoder drops a byte order mark.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for await (const part of bytes) text += decodePart(() => decoder.decode(part, { stream: true }));
  text += decodePart(() => decoder.decode());
  if (text.includes('\0')) throw notText('they contain a NUL');
  return text;
}

function decodePart(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw notText('they are not valid UTF-8');
  }
}

const notText = (why: string): Fault =>
  new Fault('invalid_parameter', { detail: `The uploaded bytes are not text: ${why}.` });
