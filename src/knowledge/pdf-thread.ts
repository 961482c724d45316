/*
 * Reads one PDF in a thread of `pdf-process.ts`. The PDF is untrusted and the library has no memory
 * limit; the main thread enforces one.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { getDocumentProxy, resolvePDFJSImport } from 'unpdf';
import { CharacterMaps } from './character-maps.ts';
import type { PdfAnswer, PdfLimits } from './pdf-messages.ts';

const limits = workerData as PdfLimits;

parentPort?.once('message', async (bytes: Uint8Array) => {
  parentPort?.postMessage(await read(bytes), []);
});
// Nothing is loaded later: the process then has another user.
await resolvePDFJSImport();
parentPort?.postMessage('loaded', []);

async function read(bytes: Uint8Array): Promise<PdfAnswer> {
  try {
    const pdf = await getDocumentProxy(bytes, {
      verbosity: 0,
      disableFontFace: true,
      useSystemFonts: false,
      enableXfa: false,
      BinaryDataFactory: CharacterMaps,
      cMapUrl: 'cmaps/',
      cMapPacked: true,
      useWorkerFetch: false,
    });
    if (pdf.numPages > limits.pages) return { type: 'refused', why: 'pages' };
    const pages: string[] = [];
    let remaining = limits.characters;
    for (let number = 1; number <= pdf.numPages; number += 1) {
      const text = await readPage(await pdf.getPage(number), remaining);
      if (text === null) return { type: 'refused', why: 'characters' };
      remaining -= text.length;
      pages.push(text.trim());
    }
    // Databases reject NUL and lone surrogates in text.
    const text = pages.join('\n\n').replaceAll('\0', '').toWellFormed().trim();
    return text === '' ? { type: 'refused', why: 'no_text' } : { type: 'text', text };
  } catch (error) {
    const isEncrypted = error instanceof Error && error.name === 'PasswordException';
    return { type: 'refused', why: isEncrypted ? 'encrypted' : 'unreadable' };
  }
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;

/** Null if the page has more than `max` characters. */
async function readPage(page: Page, max: number): Promise<string | null> {
  const reader = page.streamTextContent().getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (const item of part.value.items) {
      if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str;
    }
    if (text.length > max) return null;
  }
  page.cleanup();
  return text;
}
