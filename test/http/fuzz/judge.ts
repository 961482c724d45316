import type { Operation, Rules } from './document.ts';
import type { Meaning } from './meanings.ts';
import type { Way } from './request.ts';

/** `text` is empty for an event stream. */
export type Answer = { status: number; headers: Headers; text: string };

/** Server errors, and differences from the document. Empty for a good answer. */
export function faultsOf(
  rules: Rules,
  operation: Operation,
  { status, headers, text }: Answer,
  isFull: boolean,
): string[] {
  if (status === 503 && !isFull) return ['503 though slots are free'];
  if (status === 503 && !headers.has('retry-after')) return ['503 without Retry-After'];
  if (status >= 500 && status !== 503) return [`a server error: ${status}`];
  const described = operation.responses[status];
  if (!described) return [`${status} is not documented`];
  if (!described.content) return text === '' ? [] : [`${status} has a body: not documented`];
  const type = headers.get('content-type')?.split(';')[0] ?? 'nothing';
  if (!(type in described.content)) return [`${status} comes as ${type}: not documented`];
  if (type !== 'application/json') return [];
  const fault = rules.answerFault(operation, status, type, JSON.parse(text));
  return fault === null ? [] : [`the body of ${status} is not as documented: ${fault}`];
}

export function isExpected(
  { others: otherStatuses = [] }: Meaning,
  variant: Way,
  status: number,
): boolean {
  if (otherStatuses.includes(status)) return true;
  switch (variant.part) {
    case 'nothing':
    case 'twice':
      return (status >= 200 && status < 300) || status === 409 || status === 503;
    case 'path':
      return status === 404;
    case 'reference':
      return status === 404 || status === 422;
    case 'cursor':
      return status === 422;
  }
}
