import { Fault, problem } from '../../errors.ts';

type Span = { from?: number; to?: number };

/** Reads `from` and `to` of a query. Throws a Fault for times that are invalid or contradict. */
export function readSpan(query: { from?: string; to?: string }): Span {
  const from = readTime('from', query.from);
  const to = readTime('to', query.to);
  if (from !== undefined && to !== undefined && from > to) {
    throw new Fault('invalid_parameter', { detail: '`from` is after `to`.' });
  }
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

function readTime(name: 'from' | 'to', text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  // The schema accepts a leap second, which Date cannot parse.
  if (Number.isNaN(time)) {
    throw problem('datetime_parsing', ['query', name], 'Input should be a valid time', text);
  }
  return time;
}
