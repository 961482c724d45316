/*
 * Markdown, HTML and other markup within a line, as text to speak. A model's owner may send any
 * line, so no pattern may search on from one of its beginnings to the next and beyond.
 */
import { readLatex } from './latex.ts';

/** In this order. Links before addresses, code before emphasis. */
const RULES: readonly [RegExp, string | ((match: string, part: string) => string)][] = [
  [/<!--[^]*?(?:-->|$)/g, ' '],
  [/<(script|style|svg|math|template)\b[^<>]*>[^]*?(?:<\/\1\s*>|$)/gi, ' '],
  [/<(https?:\/\/[^<>\s]+|mailto:[^<>\s]+|[^<>\s@]+@[^<>\s@]+)>/gi, '$1'],
  [/<\/t[dh]\s*>\s*<t[dh]\b[^<>]*>/gi, ', '],
  [/<\/(?:p|div|li|tr|h[1-6]|ul|ol|table|blockquote|summary)\s*>|<br\b[^<>]*>/gi, '\n'],
  [/<\/?[a-z][\w:-]*(?:\s[^<>]*)?\/?>/gi, ''],
  // Footnotes and citations.
  [/\[\^[^\]\s]{1,40}\]/g, ''],
  [/【[^】]{0,80}】/g, ''],
  [/(?<=[\p{L}\p{N}.,;:!?)"'])\s?(?:\[\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\])+(?![(\w[])/gu, ''],
  [/!\[([^\][]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '$1'],
  [/\[([^\][]*)\]\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '$1'],
  [/!?\[([^\][]+)\]\[[^\]]{0,80}\]/g, '$1'],
  [/(`{1,3})(?!`)([^`]+)\1/g, '$2'],
  [/\\\(((?:[^\\\n]|\\(?![()]))+)\\\)/g, (_, formula) => readLatex(formula)],
  [/\\\[((?:[^\\\n]|\\(?![[\]]))+)\\\]/g, (_, formula) => readLatex(formula)],
  [/\$\$(.+?)\$\$/g, (_, formula) => readLatex(formula)],
  // Not two prices.
  [/\$(?!\s)(?=[^$\n]*?[\\^_={}])([^$\n]+)(?<!\s)\$(?!\d)/g, (_, formula) => readLatex(formula)],
  [/\bmailto:/gi, ''],
  [
    /\bhttps?:\/\/(?:www\.)?([^\s/<>()?#]+)(?:[/?#](?:[^\s<>()]*[^\s<>().,;:!?'"*])?)?/gi,
    (_, host) => host.replace(/(?<![.,;:!?])[.,;:!?]+$/, ''),
  ],
  [/~~(?!\s)[^~\n]*?(?<!\s)~~/g, ''],
  [/(?<!\w)==(?!\s)([^=\n]+?)(?<!\s)==(?!\w)/g, '$1'],
  [/\*{2,}|(?<![\p{L}\p{N}])__|__(?![\p{L}\p{N}])/gu, ''],
  [/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]*?[^\s*])\*(?![\p{L}\p{N}*])/gu, '$1'],
  [/(?<![\p{L}\p{N}_])_(?=[^\s_])([^_\n]*?[^\s_])_(?![\p{L}\p{N}_])/gu, '$1'],
  [/`+/g, ''],
  // Emoji and their names.
  [/(?<![\w:/]):(?=[\w+-]*[a-z+-])[a-z0-9_+-]{1,40}:(?![\w:/])/gi, ''],
  [/(?![©®™])\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u{20e3}/gu, ''],
  [/[\u{fe00}-\u{fe0f}]|\u{200d}/gu, ''],
  [/\\([!-/:-@[-`{-~])/g, '$1'],
];

const CITATION = /^\s?(?:\[\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\])+(?![(\w[])/;

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  euro: '€',
  pound: '£',
  deg: '°',
  copy: '©',
};

/** `isWithinLine`: other words of its line precede the text. */
export function readInline(text: string, isWithinLine = false): string {
  const plainText = RULES.reduce(
    (result, [pattern, reading]) => result.replace(pattern, reading as string),
    isWithinLine ? text.replace(CITATION, '') : text,
  );
  return plainText
    .replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]{2,8}));/gi, entity)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ([,.;!?])(?=\s|$)/g, '$1');
}

function entity(written: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? written;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code >= 32 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' ';
}

/** Whether something begins in the text that may end after it. */
export function isOpen(text: string): boolean {
  const count = (sign: string): number => text.split(sign).length - 1;
  return (
    count('`') % 2 === 1 ||
    count('**') % 2 === 1 ||
    count('~~') % 2 === 1 ||
    /\$(?![\s\d])[^$]*$/.test(text.replace(/\$[^$\n]+\$/g, '')) ||
    /(?<![\p{L}\p{N}*_])[*_](?=[^\s*_])[^*_]*$/u.test(text) ||
    count('[') > count(']') ||
    count('【') > count('】') ||
    text.lastIndexOf('](') > text.lastIndexOf(')') ||
    lastOf(text, '\\(', '\\[') > lastOf(text, '\\)', '\\]') ||
    /\]$|<[a-z/!][^<>]*$/i.test(text)
  );
}

const lastOf = (text: string, ...signs: string[]): number =>
  Math.max(...signs.map((sign) => text.lastIndexOf(sign)));
