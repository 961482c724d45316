import type { Problem } from '../../errors.ts';

/** In characters, in all problems of an answer together. */
const MAX_ECHO = 200;

/** Names of fields whose values are never repeated. */
const SECRET = /key|token|secret|passw|credential/i;
const HIDDEN = '[hidden]';

/** Limits what an answer repeats of its request, and hides secrets. */
export class Echo {
  #left = MAX_ECHO;

  /** A name that the caller chose, or its beginning. */
  name(name: string): string {
    const shown = name.slice(0, this.#left);
    this.#left -= shown.length;
    return shown === name ? name : `${shown}…`;
  }

  /** A value that is too long becomes the beginning of its text, and null once nothing is left. */
  inputs(problems: readonly Problem[]): Problem[] {
    return problems.map((problem) => ({ ...problem, input: this.#input(problem) }));
  }

  #input({ loc, input }: Problem): unknown {
    if (this.#left === 0 || input === null || input === undefined) return null;
    if (loc.some((name) => typeof name === 'string' && SECRET.test(name))) return HIDDEN;
    const shown = hideSecrets(input);
    const text = typeof shown === 'string' ? shown : JSON.stringify(shown);
    if (text.length > this.#left) return this.name(text);
    this.#left -= text.length;
    return shown;
  }
}

/** The value with `[hidden]` in all fields whose name says that they hold a secret, or is `among`. */
export function hideSecrets(value: unknown, among?: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => hideSecrets(each, among));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET.test(name) || among?.has(name) ? HIDDEN : hideSecrets(inner, among),
    ]),
  );
}
