import { Fault } from '../errors.ts';
import type { Chunk } from '../records/knowledge/knowledge-files.ts';

/** Totals of an upload, as stated by the caller. */
export type StatedTotals = { chunks?: number; size?: number };

/** Missing chunks named in an error. */
const MAX_NAMED = 10;

/**
 * Throws `invalid_parameter` unless all chunks are there. They are numbered from 0, or from 1 if
 * their count is stated: without it, a lost chunk 0 could not be detected.
 */
export function checkComplete(uploaded: Chunk[], stated: StatedTotals): void {
  const { chunks = 0, size } = stated;
  const numbers = new Set(uploaded.map(({ number }) => number));
  if (numbers.size === 0) throw incomplete('No chunk has been uploaded.');
  const start = chunks > 0 && !numbers.has(0) && numbers.has(chunks) ? 1 : 0;
  const end = Math.max(start + chunks, Math.max(...numbers) + 1);
  const missing: number[] = [];
  for (let number = start; number < end; number += 1) {
    if (!numbers.has(number)) missing.push(number);
  }
  if (missing.length > 0) throw incomplete(`Chunks are missing: ${nameSome(missing)}.`);
  if (chunks > 0 && numbers.size !== chunks) {
    throw incomplete(`${numbers.size} chunks were uploaded, but \`chunks\` is ${chunks}.`);
  }
  const bytes = uploaded.reduce((sum, chunk) => sum + chunk.size, 0);
  if (size !== undefined && size !== bytes) {
    throw incomplete(`${bytes} bytes were uploaded, but \`size\` is ${size}.`);
  }
}

function nameSome(missing: number[]): string {
  const named = missing.slice(0, MAX_NAMED).join(', ');
  const remainder = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : '';
  const hint =
    missing[0] === 0 ? ' (chunks are numbered from 0; from 1 if you state `chunks`)' : '';
  return `${named}${remainder}${hint}`;
}

const incomplete = (detail: string): Fault => new Fault('invalid_parameter', { detail });
