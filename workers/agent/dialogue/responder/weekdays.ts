/* The days of the week that a text names, from 0 for Monday. */
import type { Language } from './language.ts';
import { PhraseList } from './phrase-list.ts';
import { folded, isUnspaced, plain } from './plain-text.ts';

/** In letters. Short names of days are also other words: "sun". */
const SHORT = 5;

const WEEK = [0, 1, 2, 3, 4, 5, 6];

export class Weekdays {
  /** One group for each day. */
  readonly #days: RegExp;
  readonly #groups: PhraseList<readonly number[]>;
  readonly #until: ReadonlySet<string>;

  constructor({ tag, days, until, and, everyDay, workdays, weekend }: Language) {
    const joins = `${until},${and}`.split(',').map((word) => folded(word.trim()));
    const after = `(?=\\.?\\s?(?:[-\u2010-\u2015~:,/&+]|\\d|(?:${joins.join('|')})\\s))`;
    const groups = days
      .map(
        (list) =>
          `(${list
            .split(',')
            .map((name) => patternOf(name, after))
            .join('|')})`,
      )
      .join('|');
    const [start, end] = isUnspaced(tag) ? ['', ''] : ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])'];
    this.#days = new RegExp(`${start}(?:${groups})${end}`, 'gu');
    this.#groups = new PhraseList<readonly number[]>(tag, [
      [WEEK, everyDay],
      [WEEK.slice(0, 5), workdays],
      [WEEK.slice(5), weekend],
    ]);
    this.#until = new Set(until.split(',').map((word) => plain(word).trim()));
  }

  /** Takes the days out of a plain text. */
  take(plainText: string): { days: ReadonlySet<number>; rest: string } {
    const { ids, rest } = this.#groups.take(plainText);
    const days = new Set([...ids].flat());
    for (const match of rest.matchAll(this.#days)) days.add(dayOf(match));
    return { days, rest: rest.replace(this.#days, ' ') };
  }

  /** Also those between two, as in "Monday to Friday". Empty: the text names no day. */
  in(text: string): ReadonlySet<number> {
    const letters = folded(text);
    const matches = [...letters.matchAll(this.#days)];
    const all = new Set([...[...this.#groups.take(plain(text)).ids].flat(), ...matches.map(dayOf)]);
    for (const [at, match] of matches.slice(1).entries()) {
      const before = matches[at]!;
      const between = letters.slice(before.index + before[0].length, match.index);
      if (!this.#isUntil(between)) continue;
      for (let day = dayOf(before); day !== dayOf(match); day = (day + 1) % 7) all.add(day);
    }
    return all;
  }

  #isUntil(between: string): boolean {
    if (/^[\s.]{0,3}[-\u2010-\u2015~\u301c][\s.]{0,3}$/u.test(between)) return true;
    return this.#until.has(plain(between).trim());
  }
}

const dayOf = (match: RegExpExecArray): number =>
  match.slice(1).findIndex((group) => group !== undefined);

/** Names have letters and `*` only. `after`: what follows a short name, as in "Sun: 9-5". */
function patternOf(name: string, after: string): string {
  const letters = folded(name.trim());
  const isShort = letters.length <= SHORT && /^\p{sc=Latin}+$/u.test(letters);
  const pattern = letters.replace(/\*$/, '\\p{L}{0,6}').replace(/\s+/g, '[\\s-]');
  return isShort ? `${pattern}(?![\\p{L}\\p{N}])${after}` : pattern;
}
