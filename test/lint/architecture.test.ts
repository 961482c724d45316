import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { architecture, cycles } from './architecture.ts';

describe('architecture', () => {
  test('has no cycle between folders', () => {
    expect(cycles()).toEqual([]);
  });

  test('is the picture in CONTRIBUTING.md', () => {
    const [, picture] =
      /```mermaid\n([^]*?)\n```/.exec(readFileSync('CONTRIBUTING.md', 'utf8')) ?? [];

    // After a change of the lint table, copy the expected picture into CONTRIBUTING.md.
    expect(picture).toBe(architecture());
  });
});
