import { readFileSync } from 'node:fs';

/** A request that succeeded, and its answer: parsed JSON, or text. */
export type RecordedExample = {
  query?: string;
  body?: unknown;
  form?: Record<string, string>;
  file?: string;
  answer?: unknown;
};

/** By operation. `npm run api-examples` writes them. */
export const recordedExamples = JSON.parse(
  readFileSync(new URL('recorded-examples.json', import.meta.url), 'utf8'),
) as Record<string, RecordedExample>;
