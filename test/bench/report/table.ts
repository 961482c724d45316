type Align = 'left' | 'right';

const WIDEST = 92;

/** One line per row, followed by its note. An oversized first cell widens only its own row. */
export function table(rows: string[][], notes: (string | undefined)[], align: Align[]): string {
  const widths = align.map((_, at) => {
    const cellWidths = rows
      .map((row) => row[at]?.length ?? 0)
      .filter((width) => at > 0 || width <= WIDEST);
    return Math.max(0, ...cellWidths);
  });
  return rows
    .flatMap((row, i) => {
      const cells = row.map((cell, at) =>
        align[at] === 'right' ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!),
      );
      const note = notes[i];
      return [`  ${cells.join('  ')}`.trimEnd(), ...(note ? [`      ${note}`] : [])];
    })
    .join('\n');
}
