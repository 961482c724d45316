import type { Operation, Rules } from './document.ts';
import type { RawAnswer } from './http-client.ts';
import type { Meanings } from './meanings.ts';
import type { Expectation, Planned } from './request.ts';

type Problem = { type: string; loc: (string | number)[]; msg: string };

/** Errors of an answer; empty if it is valid. */
export function complaintsAbout(
  { rules, meanings }: { rules: Rules; meanings: Meanings },
  operation: Operation,
  planned: Planned,
  answer: RawAnswer,
  isFull: boolean,
): string[] {
  const { status, headers } = answer;
  const complaints: string[] = [];
  if (status === 503) {
    if (!isFull) complaints.push('503 though slots are free');
    if (!headers['retry-after']) complaints.push('503 without Retry-After');
  } else if (status >= 500) {
    return [`a server error: ${status}`];
  }
  complaints.push(...shapeComplaints(rules, operation, planned, answer));
  if (complaints.length === 0 && !isExpected(meanings, operation, planned, answer)) {
    complaints.push(`${status}, expected ${wanted[planned.expects]}`);
  }
  return complaints;
}

const wanted: Record<Expectation, string> = {
  sound: 'a success',
  free: 'a success, or an error that is known of finer rules',
  refused: '422',
  unreadable: '422 or 415',
  unknown: '404',
  'no key': '401',
  'no method': '405 with Allow',
};

function isExpected(
  meanings: Meanings,
  operation: Operation,
  { expects, raw }: Planned,
  answer: RawAnswer,
): boolean {
  const { status, headers, text } = answer;
  const isSuccess = status >= 200 && status < 300;
  switch (expects) {
    case 'sound':
      return isSuccess || [409, 503, ...meanings.mayAlsoAnswer(operation)].includes(status);
    case 'free':
      if (status !== 422) return true;
      return (JSON.parse(text) as { detail: Problem[] }).detail.every(({ loc }) =>
        meanings.mayRefuse(operation, loc),
      );
    case 'refused':
      return status === 422;
    case 'unreadable':
      return status === 422 || status === 415;
    case 'unknown':
      return (
        status === (isUndecodable(raw.path) ? 400 : 404) ||
        meanings.mayAlsoAnswer(operation).includes(status)
      );
    case 'no key':
      return status === 401;
    case 'no method':
      return status === 405 && headers.allow !== undefined;
  }
}

/** Checks status, content type and body against the document. */
function shapeComplaints(
  rules: Rules,
  operation: Operation,
  { expects, raw }: Planned,
  { status, headers, text }: RawAnswer,
): string[] {
  const isNoOperation = expects === 'no method' || isUndecodable(raw.path);
  const described = operation.responses[status];
  if (!described) {
    if (isNoOperation && status < 500) return errorComplaints(text, headers['content-type']);
    return [`${status} is not documented`];
  }
  const type = headers['content-type']?.split(';')[0];
  if (!described.content) {
    return text === '' ? [] : [`${status} has a body, which is not documented`];
  }
  if (!type || !(type in described.content)) {
    return [`${status} comes as ${type ?? 'nothing'}, which is not documented`];
  }
  if (type !== 'application/json') return [];
  const fault = rules.answerFault(operation, status, type, parse(text));
  return fault === null ? [] : [`the body of ${status} is not as documented: ${fault}`];
}

function errorComplaints(text: string, type: string | undefined): string[] {
  const body = parse(text) as { detail?: unknown } | undefined;
  const isError = type?.startsWith('application/json') && body?.detail !== undefined;
  return isError ? [] : ['an error without the shared body'];
}

function isUndecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return false;
  } catch {
    return true;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
