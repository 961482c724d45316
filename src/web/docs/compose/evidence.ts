/** Titles of the columns in which a table names its tests. */
const COLUMNS = ['Test', 'Evidence'];

/**
 * Leaves out which tests show what a page says: paragraphs that begin with `Test:` or `Tests:`, and
 * the last column of tables. Documents of the repository name them for its developers.
 */
export function withoutEvidence(markdown: string): string {
  const paragraphs = markdown.split(/\n{2,}/).filter((text) => !/^Tests?: /.test(text));
  return paragraphs
    .map((text) => (isEvidenceTable(text) ? withoutLastColumn(text) : text))
    .join('\n\n');
}

const isEvidenceTable = (paragraph: string): boolean =>
  COLUMNS.some((title) => /^\|.*\|\n/.exec(paragraph)?.[0].endsWith(`| ${title} |\n`));

const withoutLastColumn = (table: string): string => table.replaceAll(/\|[^|\n]*\|$/gm, '|');
