/** The usage text in the source of a command, and its name. Null for one that a program makes. */
export function readUsage(source: string): { name: string; usage: string } | null {
  const [, usage] = /\busage: `((?:[^`\\]|\\.)*)`/.exec(source) ?? [];
  const [, name] = /^Usage: npm (?:run )?([\w:-]+)/.exec(usage ?? '') ?? [];
  if (!usage || !name || usage.includes('${')) return null;
  return { name, usage: usage.replaceAll('\\`', '`').replaceAll('\\\\', '\\') };
}

/** A section for each command, by name. */
export const commands = (sources: readonly string[]): string =>
  sources
    .flatMap((source) => readUsage(source) ?? [])
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, usage }) => `## npm run ${name}\n\n\`\`\`text\n${usage.trim()}\n\`\`\``)
    .join('\n\n');
