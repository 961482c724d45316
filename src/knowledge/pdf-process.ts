/*
 * Reads a PDF from standard input in a thread and checks the memory of the process meanwhile: the
 * thread's heap limit excludes buffers, and exceeding it in one large allocation ends the process.
 * Sends the answer to its parent, which then ends it.
 */
import { Worker } from 'node:worker_threads';
import { boundChild } from '#shared/process/bounded-child.ts';
import { dropRoot } from '#shared/process/decoder-process.ts';
import { PART_CHARS, type PdfAnswer, type PdfLimits, type PdfMessage } from './pdf-messages.ts';

const limits = JSON.parse(process.argv[2] ?? '') as PdfLimits;

const answer = (message: PdfMessage) => void process.send?.(message);

const unwatch = boundChild(limits.memoryMiB, () => refuse('memory'));

const thread = new Worker(new URL('./pdf-thread.ts', import.meta.url), {
  workerData: limits,
  env: {},
  resourceLimits: { maxOldGenerationSizeMb: limits.memoryMiB / 2 },
});
thread.once('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
  refuse('memory');
});
// The thread has loaded its code.
await new Promise((resolve) => thread.once('message', resolve));
dropRoot();
thread.once('message', (result: PdfAnswer) => {
  unwatch();
  if (result.type === 'refused') return answer(result);
  const { text, isIncomplete } = result;
  let at = 0;
  for (; text.length - at > PART_CHARS; at += PART_CHARS)
    answer({ type: 'part', text: text.slice(at, at + PART_CHARS) });
  answer({ type: 'text', text: text.slice(at), isIncomplete });
});
const pdf = await readAll();
// Moved, not copied: large PDFs would take twice their size.
thread.postMessage(pdf, [pdf.buffer]);

async function readAll(): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Buffer[] = await process.stdin.toArray();
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = bytes.length;
  for (let part = parts.pop(); part; part = parts.pop()) bytes.set(part, (end -= part.length));
  return bytes;
}

function refuse(why: 'memory'): void {
  unwatch();
  void thread.terminate();
  answer({ type: 'refused', why });
}
