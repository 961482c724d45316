/* Numbers in English words. Numbers are decimal digits as text: they may be longer than a float. */

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = '- ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES = ['', ' thousand', ' million', ' billion', ' trillion'];
const IRREGULAR: Record<string, string> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};
const LONGEST = 3 * SCALES.length;

function belowHundred(value: number): string {
  if (value < 20) return ONES[value]!;
  const one = value % 10;
  return TENS[Math.floor(value / 10)]! + (one > 0 ? `-${ONES[one]}` : '');
}

function belowThousand(value: number): string {
  if (value < 100) return belowHundred(value);
  const rest = value % 100;
  const hundreds = `${ONES[Math.floor(value / 100)]} hundred`;
  return rest > 0 ? `${hundreds} ${belowHundred(rest)}` : hundreds;
}

/** Digit by digit. */
export const digits = (text: string): string =>
  Array.from(text, (digit) => ONES[Number(digit)]).join(' ');

export function cardinal(text: string): string {
  const plain = text.replace(/^0+(?=\d)/, '');
  if (plain.length > LONGEST) return digits(text);
  if (plain === '0') return 'zero';
  const groups: string[] = [];
  for (let end = plain.length, scale = 0; end > 0; end -= 3, scale += 1) {
    const value = Number(plain.slice(Math.max(0, end - 3), end));
    if (value > 0) groups.unshift(belowThousand(value) + SCALES[scale]!);
  }
  return groups.join(' ');
}

export const ordinal = (text: string): string =>
  cardinal(text).replace(/[a-z]+$/, (last) =>
    last.endsWith('y') ? `${last.slice(0, -1)}ieth` : (IRREGULAR[last] ?? `${last}th`),
  );

/** `1,234.5` in words. */
export function decimal(text: string): string {
  const [whole = '', fraction] = text.replaceAll(',', '').split('.');
  const words = cardinal(whole || '0');
  return fraction ? `${words} point ${digits(fraction)}` : words;
}

/** `2026` becomes twenty twenty-six, `2005` two thousand five, `1900` nineteen hundred. */
export function year(text: string): string {
  const value = Number(text);
  const [century, rest] = [Math.floor(value / 100), value % 100];
  if (value < 1000 || (century % 10 === 0 && rest < 10)) return cardinal(text);
  if (rest === 0) return `${cardinal(String(century))} hundred`;
  const last = rest < 10 ? `oh ${ONES[rest]}` : belowHundred(rest);
  return `${belowHundred(century)} ${last}`;
}

/** `1990s` becomes nineteen nineties. */
export const decade = (text: string): string => plural(year(text));

export const plural = (words: string): string =>
  words.endsWith('y')
    ? `${words.slice(0, -1)}ies`
    : words.endsWith('x')
      ? `${words}es`
      : `${words}s`;

/** The part of an hour: `05` is oh five. */
export const minutes = (text: string): string =>
  text.startsWith('0') ? `oh ${digits(text.slice(1))}` : cardinal(text);
