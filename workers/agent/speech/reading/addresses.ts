/* E-mail and web addresses, phone numbers and codes in English. */
import { cardinal, digits } from './number-words.ts';
import type { Rule } from './piece.ts';

const TOP_DOMAINS =
  'com|org|net|io|dev|ai|app|edu|gov|info|biz|shop|online|cloud|eu|uk|us|ca|au|de|at|ch|fr|es|it|nl|pl|pt|br|jp|cn|in|ie|se|no|dk|fi|me|tv|example|local';
const HOST = `(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)+(?:${TOP_DOMAINS})`;

const SIGNS: Record<string, string> = {
  '@': 'at',
  '.': 'dot',
  '-': 'dash',
  _: 'underscore',
  '+': 'plus',
  '/': 'slash',
  ':': 'colon',
  '~': 'tilde',
  '%': 'percent',
  '=': 'equals',
  '&': 'and',
  '?': 'question mark',
  '#': 'hash',
};

/** Letters stay words; long numbers are read digit by digit. */
const spelled = (address: string): string =>
  (address.match(/[A-Za-z]+|\d+|[^A-Za-z\d]/g) ?? [])
    .map((part) => {
      if (/^\d/.test(part))
        return part.length > 2 || part.startsWith('0') ? digits(part) : cardinal(part);
      return SIGNS[part] ?? part;
    })
    .join(' ');

/** Groups as they are written. */
const inGroups = (number: string): string =>
  (number.match(/\d+/g) ?? []).map((group) => digits(group)).join(', ');

const phone = (number: string, extension = ''): string =>
  (number.startsWith('+') ? 'plus ' : '') +
  inGroups(number) +
  (extension && `, extension ${digits(extension)}`);

export const ADDRESSES: readonly Rule[] = [
  {
    pattern: new RegExp(`\\b[a-z0-9](?:[a-z0-9._%+-]*[a-z0-9])?@${HOST}\\b`, 'gi'),
    read: ([address]) => spelled(address),
  },
  {
    pattern: new RegExp(
      `(?<![\\w@.-])(?:https?://)?(?:www\\.)?(${HOST}(?::\\d{2,5})?(?:/[\\w~%=&?#/.-]*[\\w/])?)(?![\\w@-])`,
      'g',
    ),
    read: ([, address]) => spelled(address!.replace(/\/$/, '')),
  },
  // 192.168.0.1 and 3.5.1
  {
    pattern: /(?<![\d.])v?\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)/g,
    read: ([address]) => address.split('.').map(cardinal).join(' dot '),
  },
  // +49 30 1234567 and 1-800-555-0199, (555) 123-4567 x12
  {
    pattern:
      /(?<![\d.,-])(\+\d{1,3}(?:[ ./-]?\(?\d{1,4}\)?)(?:[ ./-]?\d{2,8}){1,4}|(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}|0\d{1,4}[ /-]\d{3,8}(?:[ -]\d{2,8}){0,3})(?:,? ?(?:ext\.?|x) ?(\d{1,5}))?(?![\d-])/g,
    read: ([, number, extension]) => phone(number!, extension),
  },
  // Short numbers of a country, as in "call 555-0199".
  {
    pattern: /(?<![\d.,/-])\d{3}-\d{4}(?![\d-])/g,
    read: ([number]) => inGroups(number),
  },
  { pattern: /(?<=\b(?:call|dial) )\d{3}(?![\d.,-]*\d)\b/gi, read: ([number]) => digits(number) },
  {
    pattern: /(?<=\b(?:PIN|code|password|passcode|extension|postcode|ZIP)(?: is|:)? )\d{3,}\b/gi,
    read: ([code]) => digits(code),
  },
  // Digits with a zero before them, or too many to be an amount.
  { pattern: /(?<![\d.,:/-])(?:0\d{2,}|\d{10,})(?![\d.,:/-]*\d)/g, read: ([code]) => digits(code) },
];
