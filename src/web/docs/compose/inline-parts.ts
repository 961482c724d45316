import { createHash } from 'node:crypto';
import { glob, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** How Expressive Code finds the colours of a sample. */
const HIGHLIGHTED = "span[style^='--']:not([class])";
const STYLES = '_astro/styles-of-elements.css';

/**
 * Moves inline scripts and styles of built pages into files: the content security policy of the
 * service allows files of its own only, also where another server sends no such policy.
 */
export async function moveInlineParts(folder: string): Promise<void> {
  const styles = new Map<string, string>();
  for await (const file of glob('**/*.html', { cwd: folder })) {
    const at = path.join(folder, file);
    const scripts = new Map<string, string>();
    const html = await readFile(at, 'utf8');
    await writeFile(at, withoutStyles(withoutScripts(html, scripts), styles));
    for (const [name, text] of scripts) await writeFile(path.join(folder, name), text);
  }
  for await (const file of glob('_astro/*.css', { cwd: folder })) {
    const at = path.join(folder, file);
    const css = await readFile(at, 'utf8');
    await writeFile(at, css.replaceAll(HIGHLIGHTED, "span[class^='s-']"));
  }
  const rules = [...styles].map(([name, style]) => `.${name}.${name}.${name}{${style}}`);
  await writeFile(path.join(folder, STYLES), rules.sort().join('\n'));
}

/** Each stays where it was and runs when it did. */
const withoutScripts = (html: string, scripts: Map<string, string>): string =>
  html.replaceAll(/<script([^>]*)>([^]*?)<\/script>/g, (whole, details: string, text: string) => {
    if (text.trim() === '' || /\bsrc=|application\/|speculationrules/.test(details)) return whole;
    const name = `_astro/${shortHash(text)}.js`;
    scripts.set(name, text);
    return `<script${details} src="/docs/${name}"></script>`;
  });

/** A style becomes a class, which outweighs the classes of the style sheets as before. */
const withoutStyles = (html: string, styles: Map<string, string>): string =>
  html
    .replaceAll(
      /<([\w-]+)((?:\s+[^\s=>"]+(?:="[^"]*"|='[^']*'|=[^\s>"']+)?)*)\s*(\/?)>/g,
      (tag, name, details: string, end) => {
        const [attribute, style] = /\sstyle="([^"]*)"/.exec(details) ?? [];
        if (attribute === undefined || style === undefined) return tag;
        const of = `s-${shortHash(style)}`;
        styles.set(of, style.replaceAll('&quot;', '"').replaceAll('&#39;', "'"));
        const attributes = details.replace(attribute, '');
        const withClass = /\sclass="/.test(attributes)
          ? attributes.replace(/\sclass="/, ` class="${of} `)
          : `${attributes} class="${of}"`;
        return `<${name}${withClass}${end}>`;
      },
    )
    // They scroll sideways on small screens, so the keyboard must reach them.
    .replaceAll('<table>', '<table tabindex="0">')
    .replaceAll('<pre data-language=', '<pre tabindex="0" data-language=')
    .replace('</head>', `<link rel="stylesheet" href="/docs/${STYLES}"></head>`);

const shortHash = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8);
