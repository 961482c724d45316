import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { architecture, cycles } from './architecture.ts';

describe('architecture', () => {
  test('has no cycle between folders', () => {
    expect(cycles()).toEqual([]);
  });

  test('is the picture in README.md', () => {
    const [, picture] = /```mermaid\n([^]*?)\n```/.exec(readFileSync('README.md', 'utf8')) ?? [];

    // After a change of the lint table, copy the expected picture into README.md.
    expect(picture).toBe(architecture());
  });
});
