import type { Problem } from '../../../errors.ts';

/** In characters, in all problems of an answer together. */
const MAX_ECHO = 200;
/** A longer value may be a letter, a prompt or a token. */
const MAX_VALUE = 64;

/** Names of fields whose values are never repeated. */
const SECRET = /key|token|secret|passw|credential|auth|cookie|signature/i;
export const HIDDEN = '[hidden]';

/** Keys and tokens of most kinds, in a field where they do not belong. */
const LIKE_SECRET =
  /^(sk|pk|rk|gh[opsu]|xox\w|eyJ|troupe)[-_.\w]*[-_.]|^(Bearer|Basic) |[^\s/:]{24,}/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isSecretName = (name: string): boolean => SECRET.test(name);

/**
 * Limits what an answer repeats of its request: short numbers and words of fields that the schema
 * knows. The problems hold no other values; lists, objects and secrets are never repeated.
 */
export class Echo {
  #left = MAX_ECHO;

  /** A name that the caller chose, or its beginning. */
  name(name: string): string {
    const text = name.slice(0, this.#left);
    this.#left -= text.length;
    return text === name ? name : `${text}…`;
  }

  /** Null for a value that is not repeated. */
  inputs(problems: readonly Problem[]): Problem[] {
    return problems.map((problem) => ({ ...problem, input: this.#input(problem) }));
  }

  #input({ loc, input }: Problem): unknown {
    if (input === null || input === undefined || loc.length < 2) return null;
    if (loc.some((name) => typeof name === 'string' && isSecretName(name))) return HIDDEN;
    const value = shownScalar(input, MAX_VALUE);
    const length = String(value).length;
    if (length > this.#left) return null;
    this.#left -= length;
    return value;
  }
}

/** Null for other values and long texts. Of an address the origin: the rest may open it. */
export function shownScalar(value: unknown, maxLength: number): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'string') return null;
  const origin = /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#@]*@)?([^/?#@]{0,100})/i.exec(value);
  if (origin) return originOf(value, `${origin[1]}${origin[2]}`);
  if (value.length > maxLength) return null;
  return LIKE_SECRET.test(value) && !UUID.test(value) ? HIDDEN : value;
}

const originOf = (value: string, origin: string): string =>
  value.length > origin.length + 1 ? `${origin}/…` : value;

/** For `JSON.stringify`: `[hidden]` for a field whose name says that it holds a secret. */
export const unlessSecret = (name: string, value: unknown): unknown =>
  isSecretName(name) ? HIDDEN : value;
