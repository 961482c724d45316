/*
 * Reads one PDF in a thread of `pdf-process.ts`. The PDF is untrusted and the library has no memory
 * limit; the main thread enforces one.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { getDocumentProxy, resolvePDFJSImport } from 'unpdf';
import { joinBrokenWords } from './pdf-text/broken-words.ts';
import { CharacterMaps } from './pdf-text/character-maps.ts';
import { endsEarly, withNewEnd } from './pdf-text/cut-pdf.ts';
import { hasColumns, type Piece, textInOrder } from './pdf-text/layout.ts';
import type { PdfAnswer, PdfLimits } from './pdf-messages.ts';
import { notesAmong } from './pdf-text/notes.ts';

const limits = workerData as PdfLimits;

parentPort?.once('message', async (bytes: Uint8Array) => {
  parentPort?.postMessage(await read(bytes), []);
});
// Nothing is loaded later: the process then has another user.
await resolvePDFJSImport();
parentPort?.postMessage('loaded', []);

async function read(bytes: Uint8Array): Promise<PdfAnswer> {
  try {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const isCut = endsEarly(file);
    const pdf = await (isCut ? openCut(file) : open(bytes));
    if (pdf.numPages > limits.pages) return { type: 'refused', why: 'pages' };
    return await readPages(pdf, isCut);
  } catch (error) {
    const isEncrypted = error instanceof Error && error.name === 'PasswordException';
    return { type: 'refused', why: isEncrypted ? 'encrypted' : 'unreadable' };
  }
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

const open = (bytes: Uint8Array): Promise<Pdf> =>
  getDocumentProxy(bytes, {
    verbosity: 0,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    BinaryDataFactory: CharacterMaps,
    cMapUrl: 'cmaps/',
    cMapPacked: true,
    useWorkerFetch: false,
  });

/** The library takes over the bytes that it is given. */
function openCut(file: Buffer): Promise<Pdf> {
  const ended = withNewEnd(file);
  return open(new Uint8Array(ended ?? file));
}

async function readPages(pdf: Pdf, isCut: boolean): Promise<PdfAnswer> {
  const pages: string[] = [];
  let remaining = limits.characters;
  let unreadable = 0;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const text = await pdf
      .getPage(number)
      .then((page) => readPage(page, remaining))
      .catch(() => undefined);
    if (text === null) return { type: 'refused', why: 'characters' };
    if (text === undefined) unreadable += 1;
    remaining -= text?.length ?? 0;
    pages.push(text?.trim() ?? '');
  }
  // Databases reject NUL and lone surrogates in text.
  const text = joinBrokenWords(pages.filter(Boolean).join('\n\n'))
    .replaceAll('\0', '')
    .toWellFormed()
    .trim();
  if (text !== '') return { type: 'text', text, isIncomplete: isCut || unreadable > 0 };
  return { type: 'refused', why: unreadable > 0 ? 'unreadable' : 'no_text' };
}

type Page = Awaited<ReturnType<Pdf['getPage']>>;

/** Null if the page has more than `max` characters. */
async function readPage(page: Page, max: number): Promise<string | null> {
  const reader = page.streamTextContent().getReader();
  const pieces: Piece[] = [];
  let text = '';
  let isPlain = true;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (const item of part.value.items) {
      if (!('str' in item)) continue;
      text += item.hasEOL ? `${item.str}\n` : item.str;
      const { str, dir, width, height, transform } = item;
      const [right, up, , , x, y] = transform as number[];
      if (str.trim() === '') continue;
      if (dir !== 'ltr' || up !== 0 || right! <= 0) isPlain = false;
      pieces.push({ text: str, x: x!, y: y!, width, size: height });
    }
    if (text.length > max) return null;
  }
  const notes = notesAmong(pieces, await page.getAnnotations());
  page.cleanup();
  const length = notes.reduce((sum, note) => sum + note.text.length, text.length);
  if (length > max) return null;
  // Other directions of text keep the order in which the page draws them.
  if (!isPlain) return [text, ...notes.map((note) => note.text)].join('\n');
  const isOrdered = notes.length === 0 && !hasColumns(pieces);
  return isOrdered ? text : textInOrder([...pieces, ...notes]);
}
