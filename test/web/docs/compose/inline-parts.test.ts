import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { moveInlineParts } from '../../../../src/web/docs/compose/inline-parts.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-docs-'));
  await mkdir(path.join(folder, '_astro'));
});
afterEach(() => rm(folder, { recursive: true }));

async function moved(html: string): Promise<string> {
  await writeFile(path.join(folder, 'index.html'), html);
  await moveInlineParts(folder);
  return readFile(path.join(folder, 'index.html'), 'utf8');
}

test('an inline script becomes a file at its place', async () => {
  const html = await moved('<body><script>go()</script><p>text</p></body>');

  const [, name] = /<script src="\/docs\/(_astro\/\w+\.js)"><\/script><p>/.exec(html)!;
  expect(await readFile(path.join(folder, name!), 'utf8')).toBe('go()');
});

test('scripts with an address, and data, stay', async () => {
  const html = '<script src="/a.js"></script><script type="application/json">{}</script>';

  expect(await moved(html)).toBe(html);
});

test('an empty script does not reach to the next one', async () => {
  const html = await moved('<script src="/a.js"></script><script>go()</script>');

  expect(html).toMatch(
    /^<script src="\/a.js"><\/script><script src="\/docs\/_astro\/\w+\.js"><\/script>$/,
  );
});

test('the colours of samples are found by their class', async () => {
  const file = path.join(folder, '_astro/ec.css');
  await writeFile(file, ":where(span[style^='--']:not([class])){color:var(--0)}");

  await moved('');

  expect(await readFile(file, 'utf8')).toBe(":where(span[class^='s-']){color:var(--0)}");
});

test('the keyboard reaches tables and code, which may scroll', async () => {
  expect(await moved('<table><tr></tr></table>')).toBe('<table tabindex="0"><tr></tr></table>');
  expect(await moved('<pre data-language="sh">ls</pre>')).toBe(
    '<pre tabindex="0" data-language="sh">ls</pre>',
  );
});

test('a style of an element becomes a class that outweighs others', async () => {
  const html = await moved(
    '<head></head><i style="--depth: 1" class="a"></i><b data-x="1>0" style="--f: &quot;x&quot;"/>',
  );

  expect(html).not.toContain('style=');
  expect(html).toMatch(/<i class="s-(\w+) a"><\/i><b data-x="1>0" class="s-(\w+)"\/>/);
  expect(html).toContain('<link rel="stylesheet" href="/docs/_astro/styles-of-elements.css">');
  const css = await readFile(path.join(folder, '_astro/styles-of-elements.css'), 'utf8');
  expect(css).toMatch(/^\.(s-\w+)\.\1\.\1\{--.*\}\n\.(s-\w+)\.\2\.\2\{--.*\}$/);
  expect(css).toContain('{--f: "x"}');
});
