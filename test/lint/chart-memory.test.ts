import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { MAX_BLOB_BYTES } from '#protocol/worker/blob-path.ts';
import { RULES_HEAP_MIB } from '../../src/calls/evaluation/rules-evaluator.ts';
import { loadConfig } from '../../src/config.ts';
import { FIRST_TRY, PDF_LIMITS } from '../../src/knowledge/pdf-reader.ts';
import { SEARCH_LIMITS } from '../../src/knowledge/process/knowledge-search.ts';

const config = loadConfig({});

/** Parts of a control plane by words of their rows, with their limits in MiB. */
const limits: Record<string, number> = {
  BODY_MEMORY_MIB: config.BODY_MEMORY_MIB,
  UNREAD_ANSWERS_MIB: config.UNREAD_ANSWERS_MIB,
  // Stored and clear; PostgreSQL's text of bytes has twice their length.
  'picture or bundle': (4 * MAX_BLOB_BYTES) / 1024 ** 2,
  'evaluation of calls': RULES_HEAP_MIB,
  'search in knowledge files': SEARCH_LIMITS.memoryMiB,
  'first try of a PDF': FIRST_TRY.memoryMiB,
  'second try of a PDF': PDF_LIMITS.memoryMiB,
};

const section = /### Memory of a control plane\n(.*?)\n## /s.exec(
  readFileSync('deploy/helm/README.md', 'utf8'),
)![1]!;
const rows = [...section.matchAll(/^\| (.*) \| (\d+) \|$/gm)].map(
  ([, part, mib]) => [part!, Number(mib)] as const,
);
const mibOf = (words: string) => rows.find(([part]) => part.includes(words))?.[1];

describe('the memory limit of a control plane', () => {
  test.each(Object.entries(limits))('is listed with its part: %s', (words, mib) => {
    expect(mibOf(words)).toBe(mib);
  });

  test('is above the sum of its parts', () => {
    const parts = rows.filter(([part]) => part !== 'sum').map(([, mib]) => mib);
    const sum = parts.reduce((total, mib) => total + mib, 0);
    const chart = parse(readFileSync('deploy/helm/troupe/values.yaml', 'utf8'));
    const [, limit] = /^(\d+)Mi$/.exec(chart.control.resources.limits.memory) ?? [];

    expect(mibOf('sum')).toBe(sum);
    expect(Number(limit)).toBeGreaterThan(sum);
  });
});
