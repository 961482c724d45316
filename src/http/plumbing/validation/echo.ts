import type { Problem } from '../../../errors.ts';

/** In characters, in all problems of an answer together. */
const MAX_ECHO = 200;

/** Names of fields whose values are never repeated. */
const SECRET = /key|token|secret|passw|credential/i;
export const HIDDEN = '[hidden]';

/** Limits what an answer repeats of its request, and hides secrets. */
export class Echo {
  #left = MAX_ECHO;

  /** A name that the caller chose, or its beginning. */
  name(name: string): string {
    const text = name.slice(0, this.#left);
    this.#left -= text.length;
    return text === name ? name : `${text}…`;
  }

  /** A value that is too long becomes the beginning of its text, and null once nothing is left. */
  inputs(problems: readonly Problem[]): Problem[] {
    return problems.map((problem) => ({ ...problem, input: this.#input(problem) }));
  }

  #input({ loc, input }: Problem): unknown {
    if (this.#left === 0 || input === null || input === undefined) return null;
    if (loc.some((name) => typeof name === 'string' && SECRET.test(name))) return HIDDEN;
    const text = typeof input === 'string' ? input : JSON.stringify(input, unlessSecret);
    if (text.length > this.#left) return this.name(text);
    this.#left -= text.length;
    return typeof input === 'string' ? input : JSON.parse(text);
  }
}

/** For `JSON.stringify`: `[hidden]` for a field whose name says that it holds a secret. */
export const unlessSecret = (name: string, value: unknown): unknown =>
  SECRET.test(name) ? HIDDEN : value;
