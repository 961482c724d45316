import { InvalidArgumentError } from 'commander';

/* Parsers of option values. Commander prints the option's name before their messages. */

export function readCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
}

/** `name=value`, repeated. */
export function readPairs(
  text: string,
  earlierPairs: Record<string, string> = {},
): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Write it like name=value.');
  return { ...earlierPairs, [text.slice(0, at)]: text.slice(at + 1) };
}
