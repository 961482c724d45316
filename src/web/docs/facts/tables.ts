/* Facts of the documentation, written as Markdown. */

/** A bar in a cell would end it. */
const cell = (text: string): string => text.replaceAll('|', String.raw`\|`);

const row = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n');
}

/** A table of code names and their meanings. */
export function meanings(head: readonly [string, string], of: Record<string, string>): string {
  return table(
    head,
    Object.entries(of).map(([name, meaning]) => [code(name), meaning]),
  );
}

export const code = (text: string): string => `\`${text}\``;

/** A number with its thousands apart; null: no limit. */
export const amount = (number: number | null | undefined): string =>
  number?.toLocaleString('en') ?? 'no limit';
