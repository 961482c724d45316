import { spawnSync } from 'node:child_process';
import { stripTypeScriptTypes } from 'node:module';
import { describe, expect, test } from 'vitest';
import { readBlocks, type Sample } from '../../../../src/web/docs/compose/blocks.ts';
import { docsPages } from '../../../support/pages/docs.ts';

const samples = (await docsPages()).flatMap(({ name, markdown }) =>
  readBlocks(markdown).flatMap((block) => {
    if (block.type === 'text') return [];
    const samplesOfBlock = block.type === 'sample' ? [block] : block.samples;
    return samplesOfBlock.map((sample) => ({ ...sample, page: name }));
  }),
);
const inLanguage = (...languages: string[]) =>
  samples.filter(({ language }) => languages.includes(language));

function problemOf(program: string, args: string[], text: string): string {
  const { status, stderr } = spawnSync(program, args, { input: text, encoding: 'utf8' });
  return status === 0 ? '' : stderr;
}

/** All Python samples at once: starting Python takes longer than reading them. */
const READS_PYTHON = `
import ast, json, sys
for sample in json.load(sys.stdin):
    try: ast.parse(sample["text"])
    except SyntaxError as error: print(f"{sample['page']}: {error}\\n{sample['text']}", file=sys.stderr); sys.exit(1)
`;

const where = ({ page, title, tab }: Sample & { page: string }) => `${page}: ${title ?? tab}`;

describe('the samples of the documentation', () => {
  test('are in known languages', () => {
    const knownLanguages = [
      'python',
      'ts',
      'js',
      'sh',
      'json',
      'text',
      'yaml',
      'ini',
      'html',
      'css',
      'jsx',
      '',
    ];

    expect(samples.filter(({ language }) => !knownLanguages.includes(language)).map(where)).toEqual(
      [],
    );
    expect(samples.length).toBeGreaterThan(100);
  });

  test('in Python can be read', () => {
    const texts = inLanguage('python');

    expect(texts.length).toBeGreaterThan(20);
    expect(problemOf('python3', ['-c', READS_PYTHON], JSON.stringify(texts))).toBe('');
  });

  test('in JavaScript and TypeScript can be read', () => {
    for (const sample of inLanguage('ts', 'js')) {
      const text = sample.text.replaceAll('{ ... }', '{}');
      expect(() => stripTypeScriptTypes(text), where(sample)).not.toThrow();
    }
  });

  test('in shell can be read', () => {
    const functions = inLanguage('sh').map(({ text }, at) => `sample_${at}() {\n${text}\n}`);

    expect(problemOf('bash', ['-n'], functions.join('\n'))).toBe('');
  });

  test('in JSON can be read, unless they leave something out', () => {
    for (const sample of inLanguage('json').filter(({ text }) => !text.includes('...'))) {
      const text = sample.text.trim();
      expect(
        () => JSON.parse(text.startsWith('"') ? `{${text}}` : text),
        where(sample),
      ).not.toThrow();
    }
  });

  test('name the service at its default address', () => {
    const otherSamples = samples.filter(({ text }) =>
      /localhost:8080|127\.0\.0\.1:(?!8080|7880|3000|8765)\d/.test(text),
    );

    expect(otherSamples.map(where)).toEqual([]);
  });
});
