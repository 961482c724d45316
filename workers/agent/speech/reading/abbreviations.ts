/* Abbreviations and signs in English. */
import { cardinal } from './number-words.ts';
import type { Rule } from './piece.ts';

/** With a full stop, which belongs to the abbreviation. */
const ABBREVIATIONS: Record<string, string> = {
  'e.g.': 'for example',
  'i.e.': 'that is',
  'approx.': 'approximately',
  'vs.': 'versus',
  'dept.': 'department',
  'Dept.': 'Department',
  'ext.': 'extension',
  'tel.': 'telephone',
  'Tel.': 'Telephone',
  'min.': 'minimum',
  'max.': 'maximum',
  'incl.': 'including',
  'excl.': 'excluding',
  'est.': 'established',
  'appt.': 'appointment',
  'Ave.': 'Avenue',
  'Blvd.': 'Boulevard',
  'Rd.': 'Road',
  'Apt.': 'Apartment',
  'Inc.': 'Incorporated',
  'Ltd.': 'Limited',
  'Corp.': 'Corporation',
  'Mon.': 'Monday',
  'Tue.': 'Tuesday',
  'Tues.': 'Tuesday',
  'Wed.': 'Wednesday',
  'Thu.': 'Thursday',
  'Thurs.': 'Thursday',
  'Fri.': 'Friday',
};

/** Before a name. */
const TITLES: Record<string, string> = {
  Dr: 'Doctor',
  Mr: 'Mister',
  Mrs: 'Missus',
  Ms: 'Miz',
  Prof: 'Professor',
  St: 'Saint',
  Mt: 'Mount',
};

const oneOf = (names: string[]): string => names.join('|').replaceAll('.', '\\.');

export const ABBREVIATED: readonly Rule[] = [
  {
    pattern: new RegExp(`\\b(${oneOf(Object.keys(TITLES))})\\.? (?=\\p{Lu})`, 'gu'),
    // "Main St. Then": a street before it, a saint after it.
    read: ({ 1: title, index, input }) =>
      title === 'St' && /\p{Lu}\w* $/u.test(input.slice(0, index)) ? null : `${TITLES[title!]} `,
  },
  { pattern: /(?<=\p{Lu}[\w'’-]* )St\b\.?(?!\w)/gu, read: () => 'Street' },
  { pattern: /(?<=\p{Lu}[\w'’-]* )Dr\b\.?(?!\w)/gu, read: () => 'Drive' },
  { pattern: /\betc\b\.?/g, read: () => 'et cetera' },
  {
    pattern: new RegExp(`(?<!\\w)(${oneOf(Object.keys(ABBREVIATIONS))})(?!\\w)`, 'g'),
    read: ([text]) => ABBREVIATIONS[text]!,
  },
  { pattern: /\b(?:No\.|Nos\.|#) ?(\d+)\b/g, read: ([, number]) => `number ${cardinal(number!)}` },
  { pattern: /(?<!\w)#(\d+)\b/g, read: ([, number]) => `number ${cardinal(number!)}` },
  { pattern: /(?<=\w) ?& ?(?=\w)/g, read: () => ' and ' },
  { pattern: /\bw\/o\b/g, read: () => 'without' },
  { pattern: /\bw\/ ?(?=\w)/g, read: () => 'with ' },
  { pattern: /(?<=^|\s)@(?=\w)/g, read: () => 'at ' },
];
