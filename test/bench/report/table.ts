type Align = 'left' | 'right';

const WIDEST = 92;

/** A line for each row, and one below it for its note. A first cell that is too wide makes its row wider, not the others. */
export function table(rows: string[][], notes: (string | undefined)[], align: Align[]): string {
  const widths = align.map((_, at) => {
    const all = rows
      .map((row) => row[at]?.length ?? 0)
      .filter((width) => at > 0 || width <= WIDEST);
    return Math.max(0, ...all);
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
