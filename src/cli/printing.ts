import { stripVTControlCharacters, styleText } from 'node:util';
import type { CliContext, Output } from './cli-context.ts';

type Style = 'green' | 'yellow' | 'red' | 'dim' | 'bold' | 'cyan';

/**
 * Colours `text` if a person looks at the stream and neither NO_COLOR nor --no-color forbids it.
 */
export function styled(context: CliContext, stream: Output, style: Style, text: string): string {
  return hasColours(context, stream) ? styleText(style, text, { validateStream: false }) : text;
}

export function hasColours({ env, options }: CliContext, stream: Output): boolean {
  if (env['NO_COLOR'] || options.color === false || env['TERM'] === 'dumb') return false;
  return stream.isTTY === true || Boolean(env['FORCE_COLOR'] && env['FORCE_COLOR'] !== '0');
}

/** Prints `value` as JSON with --json, otherwise the lines. */
export function print(context: CliContext, value: unknown, lines: () => string[]): void {
  const text = context.options.json ? JSON.stringify(value, null, 2) : lines().join('\n');
  context.stdout.write(`${text}\n`);
}

/** One line of a stream: JSON on one line with --json, otherwise the text. */
export function printLine(context: CliContext, value: unknown, text: () => string): void {
  context.stdout.write(`${context.options.json ? JSON.stringify(value) : text()}\n`);
}

/** For the person only: neither with --json nor into a pipe. */
export function note(context: CliContext, text: string): void {
  if (!context.options.json) context.stderr.write(`${text}\n`);
}

/** Columns as wide as their widest cell. */
export function table(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => width(row[column] ?? ''))),
  );
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === row.length - 1
          ? cell
          : cell + ' '.repeat((widths[column] ?? 0) - width(cell) + 2),
      )
      .join('')
      .trimEnd(),
  );
}

/** Names and values, one a line. */
export const fields = (pairs: [name: string, value: string][]): string[] =>
  table(pairs.map(([name, value]) => [name, value]));

const width = (cell: string): number => stripVTControlCharacters(cell).length;
