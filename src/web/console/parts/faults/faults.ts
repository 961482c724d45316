/* Refusals of the service in words for people. Pure. */
import { Refusal } from '../../../api/answers.ts';
import { texts } from '../../texts/texts.ts';

const t = texts.states.faults;

/** `field`: its path in the request, such as `limits.call.seconds`; empty: the whole request. */
export type FieldFault = { field: string; text: string };

type Problem = { type: string; loc: (string | number)[]; msg: string };

export function faultsIn(error: Error | null): FieldFault[] {
  if (!(error instanceof Refusal) || !Array.isArray(error.about['detail'])) return [];
  const problems = error.about['detail'] as Problem[];
  // The first part is the place, such as `body`.
  return problems.map((problem) => ({
    field: problem.loc.slice(1).join('.'),
    text: wordsOf(problem),
  }));
}

/** Also those of its parts, such as an entry of a list. */
export const isOfField = ({ field }: FieldFault, name: string): boolean =>
  field === name || field.startsWith(`${name}.`);

function wordsOf({ type, msg }: Problem): string {
  const bound = Number(/-?[\d.]+/.exec(msg)?.[0]);
  switch (type) {
    case 'missing':
      return msg === 'Field required' ? t.missing : msg;
    case 'string_too_short':
      return bound > 1 ? t.tooShort(bound) : t.missing;
    case 'string_too_long':
      return t.tooLong(bound);
    case 'greater_than':
    case 'greater_than_equal':
      return t.tooSmall(bound);
    case 'less_than_equal':
      return t.tooLarge(bound);
    case 'string_pattern_mismatch':
    case 'format':
      return t.malformed;
    case 'enum':
      return t.notOffered;
    case 'integer_type':
      return t.wholeNumber;
    case 'number_type':
      return t.number;
    default:
      return msg.replace(/^Input /, 'This ');
  }
}

/** Their advice names headers, fields and paths of the API. */
const ADVICE_FOR_PROGRAMS: ReadonlySet<unknown> = new Set([
  'admin_password_invalid',
  'admin_password_required',
  'api_key_invalid',
  'api_key_required',
  'budget_reached',
  'conflict',
  'credentials_ambiguous',
  'forbidden',
  'internal_error',
  'invalid_parameter',
  'invalid_request',
  'malformed_path',
  'method_not_allowed',
  'not_found',
  'retired',
  'too_large',
  'unreadable_request',
  'unsupported_media_type',
]);

export function adviceOf({ about, advice, retryAfterSeconds }: Refusal): string | null {
  if (retryAfterSeconds !== null) return t.againIn(retryAfterSeconds);
  return ADVICE_FOR_PROGRAMS.has(about['code']) ? null : advice;
}
