/* Dates and times in English. */
import { cardinal, minutes, ordinal, plural, year } from './number-words.ts';
import type { Rule } from './piece.ts';

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const DAY_NAMES = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const NAMES = `${MONTHS.join('|')}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\\b\\.?`;
const YEAR = '(1[0-9]\\d\\d|20\\d\\d)';
const DAY = '(0?[1-9]|[12]\\d|3[01])';

const monthNamed = (name: string): string =>
  MONTHS.find((month) => month.startsWith(name.slice(0, 3))) ?? name;

const dayNamed = (name: string): string => DAY_NAMES[DAYS.indexOf(name)]!;

const dateOf = (month: number, day: string, ofYear?: string): string | null => {
  const name = MONTHS[month - 1];
  if (!name || Number(day) < 1 || Number(day) > 31) return null;
  return `${name} ${ordinal(day)}${ofYear ? `, ${year(ofYear)}` : ''}`;
};

/** `9`, `9:30` with AM or PM if written. */
function timeOf(hour: string, minute: string | undefined, half: string | undefined) {
  const value = Number(hour);
  if (value > 24 || Number(minute ?? 0) > 59) return null;
  const isPlain = minute === undefined || minute === '00';
  if (half) {
    const words = cardinal(hour) + (isPlain ? '' : ` ${minutes(minute)}`);
    return `${words} ${half.toLowerCase().startsWith('a') ? 'AM' : 'PM'}`;
  }
  if (isPlain && value % 24 === 0) return 'midnight';
  if (isPlain && value === 12) return 'noon';
  const words = value === 0 ? 'twelve' : cardinal(String(value > 12 ? value - 12 : value));
  const spoken = isPlain ? words : `${words} ${minutes(minute)}`;
  if (value > 12) return `${spoken} PM`;
  if (value === 0) return `${spoken} AM`;
  return isPlain ? `${spoken} o'clock` : spoken;
}

const HALF = '(?:\\s?([ap]\\.?m\\b\\.?))';
const CLOCK = `(\\d{1,2})[:.](\\d{2})(?::\\d{2})?${HALF}?`;
const TO = '\\s?[-–—]\\s?';

const range = (from: string | null, to: string | null): string | null =>
  from && to && `${from} to ${to}`;

/** `isDayFirst`: 3/4/2026 is in April. */
export const dates = (isDayFirst: boolean): readonly Rule[] => [
  {
    pattern: /(?<![\d-])(\d{4})-(\d{2})-(\d{2})(?![\d-])/g,
    read: ([, ofYear, month, day]) => dateOf(Number(month), day!, ofYear),
  },
  {
    pattern: /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/g,
    read: ([, day, month, ofYear]) => dateOf(Number(month), day!, ofYear),
  },
  {
    pattern: /(?<![\d/])(\d{1,2})\/(\d{1,2})\/(\d{4})(?![\d/])/g,
    read: ([, first, second, ofYear]) => {
      const dayComesFirst = Number(first) > 12 || (isDayFirst && Number(second) <= 12);
      const [day, month] = dayComesFirst ? [first!, second] : [second!, first];
      return dateOf(Number(month), day, ofYear);
    },
  },
  // November 30, 2026
  {
    pattern: new RegExp(
      `\\b(${NAMES}) ${DAY}(?:st|nd|rd|th)?(?:,? ${YEAR})?(?![\\d:%]|[.,]\\d)\\b`,
      'g',
    ),
    read: ([, month, day, ofYear]) => dateOf(MONTHS.indexOf(monthNamed(month!)) + 1, day!, ofYear),
  },
  // 30 November 2026
  {
    pattern: new RegExp(
      `(?<![\\d.,:])\\b(the )?${DAY}(?:st|nd|rd|th)?( of)? (${NAMES})(?:,? ${YEAR})?(?!\\d)`,
      'g',
    ),
    read: ([, , day, , month, ofYear]) =>
      `the ${ordinal(day!)} of ${monthNamed(month!)}${ofYear ? `, ${year(ofYear)}` : ''}`,
  },
  {
    pattern: new RegExp(`\\b(${NAMES}) ${YEAR}\\b`, 'g'),
    read: ([, month, ofYear]) => `${monthNamed(month!)} ${year(ofYear!)}`,
  },
  // 9:00–17:30
  {
    pattern: new RegExp(`(?<![\\d:.])${CLOCK}${TO}${CLOCK}(?![\\d:])`, 'gi'),
    read: ([text, h1, m1, half1, h2, m2, half2]) =>
      text.includes(':') || half1 || half2
        ? range(timeOf(h1!, m1, half1), timeOf(h2!, m2, half2))
        : null,
  },
  // 9-5pm and 9am-5pm
  {
    pattern: new RegExp(`(?<![\\d:.])(\\d{1,2})${HALF}?${TO}(\\d{1,2})${HALF}`, 'gi'),
    read: ([, h1, half1, h2, half2]) =>
      range(half1 ? timeOf(h1!, undefined, half1) : cardinal(h1!), timeOf(h2!, undefined, half2)),
  },
  {
    pattern: new RegExp(`(?<![\\d:.])(\\d{1,2})(?:[:.](\\d{2}))?${HALF}`, 'gi'),
    read: ([, hour, minute, half]) => timeOf(hour!, minute, half),
  },
  {
    pattern: /(?<![\d:])(\d{1,2}):(\d{2})(?::\d{2})?(?![\d:])/g,
    read: ([, hour, minute]) => timeOf(hour!, minute, undefined),
  },
  // Mon-Fri
  {
    pattern: new RegExp(`\\b(${DAYS.join('|')})\\.?${TO}(${DAYS.join('|')})\\b`, 'g'),
    read: ([, from, to]) => `${dayNamed(from!)} to ${dayNamed(to!)}`,
  },
  { pattern: /\b24\/7\b/g, read: () => 'twenty-four seven' },
  {
    pattern: /\b(1\d|20)(\d)0s\b/g,
    read: ([text]) => plural(year(text.slice(0, 4))),
  },
  { pattern: /(?<!\w)['’](\d)0s\b/g, read: ([, ten]) => plural(cardinal(`${ten}0`)) },
  // A year by the word before it.
  {
    pattern: new RegExp(
      `(?<=\\b(?:in|since|of|by|until|till|before|after|from|during|year|around|to|and|Q[1-4]) |\\()${YEAR}(?![\\d%]|[.,]\\d| ?(?:km|kg|people|years|euros|dollars|times)\\b)\\b`,
      'gi',
    ),
    read: ([, ofYear]) => year(ofYear!),
  },
  {
    pattern: new RegExp(`\\b${YEAR}[–-]${YEAR}\\b`, 'g'),
    read: ([, from, to]) => `${year(from!)} to ${year(to!)}`,
  },
];
