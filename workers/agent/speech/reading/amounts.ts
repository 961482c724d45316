/* Numbers, money and units in English. */
import { cardinal, decimal, ordinal, plural } from './number-words.ts';
import type { Rule } from './piece.ts';

const NUMBER = '(\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?)';
const SCALE = '(?: ?(thousand|million|billion|trillion|k|m|bn)\\b)?';

/** One, many, and a hundredth. */
const CURRENCIES: Record<string, [string, string, string?]> = {
  $: ['dollar', 'dollars', 'cent'],
  '€': ['euro', 'euros', 'cent'],
  '£': ['pound', 'pounds', 'penny'],
  '¥': ['yen', 'yen'],
  USD: ['dollar', 'dollars', 'cent'],
  EUR: ['euro', 'euros', 'cent'],
  GBP: ['pound', 'pounds', 'penny'],
  CHF: ['franc', 'francs'],
  JPY: ['yen', 'yen'],
};
const SCALES: Record<string, string> = { k: 'thousand', m: 'million', bn: 'billion' };

/** Singular; the plural follows a number other than 1. */
const UNITS: Record<string, string> = {
  km: 'kilometer',
  m: 'meter',
  cm: 'centimeter',
  mm: 'millimeter',
  kg: 'kilogram',
  g: 'gram',
  mg: 'milligram',
  t: 'ton',
  lb: 'pound',
  lbs: 'pound',
  oz: 'ounce',
  l: 'liter',
  L: 'liter',
  ml: 'milliliter',
  mi: 'mile',
  ft: 'foot',
  yd: 'yard',
  'km/h': 'kilometer per hour',
  'm/s': 'meter per second',
  mph: 'mile per hour',
  'm²': 'square meter',
  m2: 'square meter',
  'km²': 'square kilometer',
  'm³': 'cubic meter',
  'sq ft': 'square foot',
  h: 'hour',
  hr: 'hour',
  hrs: 'hour',
  min: 'minute',
  mins: 'minute',
  s: 'second',
  sec: 'second',
  ms: 'millisecond',
  '°C': 'degree Celsius',
  '°F': 'degree Fahrenheit',
  '°': 'degree',
  KB: 'kilobyte',
  kB: 'kilobyte',
  MB: 'megabyte',
  GB: 'gigabyte',
  TB: 'terabyte',
  'Mbit/s': 'megabit per second',
  Mbps: 'megabit per second',
  kW: 'kilowatt',
  kWh: 'kilowatt hour',
  W: 'watt',
  V: 'volt',
  Hz: 'hertz',
  kHz: 'kilohertz',
  MHz: 'megahertz',
  GHz: 'gigahertz',
};
const FRACTIONS: Record<string, string> = {
  '½': 'one half',
  '¼': 'one quarter',
  '¾': 'three quarters',
  '⅓': 'one third',
  '⅔': 'two thirds',
  '1/2': 'one half',
  '1/4': 'one quarter',
  '3/4': 'three quarters',
  '1/3': 'one third',
  '2/3': 'two thirds',
};

const escaped = (text: string): string => text.replace(/[$/]/g, '\\$&');
const oneOf = (names: Record<string, unknown>): string =>
  Object.keys(names)
    .toSorted((a, b) => b.length - a.length)
    .map(escaped)
    .join('|');

function money(currency: string, number: string, scale: string | undefined): string {
  const [one, many, hundredth] = CURRENCIES[currency]!;
  if (scale) return `${decimal(number)} ${SCALES[scale] ?? scale} ${many}`;
  const [whole = '', fraction] = number.replaceAll(',', '').split('.');
  if (!fraction || !hundredth || fraction.length !== 2) {
    return `${decimal(number)} ${number === '1' ? one : many}`;
  }
  const cents = Number(fraction);
  const small =
    hundredth === 'penny' ? (cents === 1 ? 'penny' : 'pence') : cents === 1 ? 'cent' : 'cents';
  const parts = [
    ...(Number(whole) > 0 || cents === 0
      ? [`${cardinal(whole)} ${whole === '1' ? one : many}`]
      : []),
    ...(cents > 0 ? [`${cardinal(fraction)} ${small}`] : []),
  ];
  return parts.join(' and ');
}

function measure(number: string, unit: string): string {
  if (unit === '%') return `${decimal(number)} percent`;
  const name = UNITS[unit]!;
  if (number === '1') return `one ${name}`;
  const [first = '', ...rest] = name.split(/ (?=per |Celsius|Fahrenheit)/);
  const last = first.split(' ').at(-1)!;
  const many = last === 'foot' ? 'feet' : last.endsWith('hertz') ? last : plural(last);
  return [decimal(number), first.slice(0, first.length - last.length) + many, ...rest].join(' ');
}

const sign = (minus: string | undefined): string => (minus ? 'minus ' : '');
const MINUS = '(?<![\\w.,)])([-−])?';

export const AMOUNTS: readonly Rule[] = [
  // $5-10
  {
    pattern: new RegExp(
      `(?<!\\w)(${oneOf(CURRENCIES)}) ?${NUMBER}[-–](?:\\1 ?)?${NUMBER}${SCALE}(?!\\w)`,
      'g',
    ),
    read: ([, currency, from, to, scale]) => `${decimal(from!)} to ${money(currency!, to!, scale)}`,
  },
  // 20-30 %
  {
    pattern: new RegExp(
      `(?<![\\w.,-])${NUMBER}[-–]${NUMBER}[ \\u00a0\\u202f]?(%|${oneOf(UNITS)})(?![\\w²³/])`,
      'g',
    ),
    read: ([, from, to, unit]) => `${decimal(from!)} to ${measure(to!, unit!)}`,
  },
  {
    pattern: new RegExp(`${MINUS}(${oneOf(CURRENCIES)}) ?${NUMBER}${SCALE}(?![\\d,]*\\d)`, 'g'),
    read: ([, minus, currency, number, scale]) => sign(minus) + money(currency!, number!, scale),
  },
  {
    pattern: new RegExp(`${MINUS}${NUMBER}${SCALE} ?(${oneOf(CURRENCIES)})(?!\\w)`, 'g'),
    read: ([, minus, number, scale, currency]) => sign(minus) + money(currency!, number!, scale),
  },
  {
    pattern: new RegExp(`${MINUS}${NUMBER}[ \\u00a0\\u202f]?(%|${oneOf(UNITS)})(?![\\w²³/])`, 'g'),
    // 100s are hundreds.
    read: ([text, minus, number, unit]) =>
      unit === 's' && /\ds$/.test(text) ? null : sign(minus) + measure(number!, unit!),
  },
  {
    pattern: /(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)(?:st|nd|rd|th)\b/g,
    read: ([, number]) => ordinal(number!.replaceAll(',', '')),
  },
  {
    pattern: new RegExp(`(?<![\\w./])(?:(\\d+)[ -]?)?(${oneOf(FRACTIONS)})(?![\\w/])`, 'g'),
    read: ([, whole, fraction]) => {
      const part = FRACTIONS[fraction!]!;
      return whole ? `${cardinal(whole)} and ${part.replace(/^one /, 'a ')}` : part;
    },
  },
  { pattern: /(?<=\d) ?[x×] ?(?=\d)/g, read: () => ' by ' },
  { pattern: /(?<=\d) ?\+ ?(?=\d)/g, read: () => ' plus ' },
  { pattern: /(?<=\d) ?= ?(?=\d)/g, read: () => ' equals ' },
  // 10-12 and 10–12
  {
    pattern: /(?<![\w.,-])(\d{1,4})[-–](\d{1,4})(?![\w-]|[.,]\d)/g,
    read: ([, from, to]) => `${cardinal(from!)} to ${cardinal(to!)}`,
  },
  {
    pattern: new RegExp(`${MINUS}${NUMBER}(\\.\\d+)*(?![\\w])`, 'g'),
    read: ([text, minus, number]) => {
      const parts = text.replace(/^[-−]/, '').split('.');
      // A version has two points or more.
      if (parts.length > 2) return parts.map(cardinal).join(' point ');
      return sign(minus) + decimal(number!);
    },
  },
];
