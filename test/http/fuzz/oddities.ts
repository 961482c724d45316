/* Common mistakes and attacks that schemas do not suggest. */

import { NOBODY } from './world.ts';

export const oddTexts = [
  '',
  ' ',
  '0',
  '-1',
  '1.5',
  '51',
  '5',
  'true',
  'null',
  '1e999',
  '99999999999999999999',
  'NaN',
  '0x10',
  'a\u0000b',
  '\u0000',
  "' or 1=1 --",
  '漢字 🙂',
  '[]',
  '{}',
  '2026-01-01',
  '2026-13-45T99:99:99Z',
  '2026-01-01T00:00:00Z',
  'x'.repeat(5_000),
];

export const oddHeaders = [
  '',
  'a b',
  'é',
  '*/*',
  'text/html',
  'x'.repeat(300),
  'x'.repeat(4_000),
  '"',
  "' or 1=1 --",
  '\t',
  'application/xml;q=0.5',
  '0',
];

/** As written in the path. */
export const oddIds = [
  NOBODY,
  '0',
  '-1',
  'x',
  'null',
  '%00',
  'a%00b',
  '%2F',
  '..%2F..%2Fetc',
  '%27%20or%201%3D1',
  '%E6%BC%A2',
  '%F0%9F%99%82',
  'x'.repeat(3_000),
  '.',
  '%2e%2e',
  '*',
  ':id',
  '%7Bid%7D',
  '%20',
  '%0A',
  '%ED%A0%80',
  '%E0%A4%A',
  '%zz',
  '%',
];

export const wrongTypes = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'image/png',
  'json',
  '*/*',
];

export const unasked: { type: string | null; body: string | null }[] = [
  { type: 'application/json', body: null },
  { type: 'application/json', body: '' },
  { type: 'application/json', body: '{}' },
  { type: 'application/json', body: '{"broken' },
  { type: 'text/plain', body: 'text' },
  { type: 'application/octet-stream', body: '' },
  { type: 'application/x-www-form-urlencoded', body: 'a=b' },
  { type: null, body: 'text' },
];

export const textChanges: { what: string; to: (text: string) => string; isReadable?: true }[] = [
  {
    what: 'longer than most bodies may be',
    to: (text) => text + ' '.repeat(70_000),
    isReadable: true,
  },
  { what: 'no body', to: () => '' },
  { what: 'JSON that breaks off', to: (text) => text.slice(0, -1) },
  { what: 'JSON and more', to: (text) => `${text}}` },
  { what: 'no JSON', to: () => '<html>' },
  { what: 'a blank', to: () => ' ' },
  { what: 'NaN', to: () => '{"a":NaN}' },
  { what: 'undefined', to: () => 'undefined' },
  { what: 'single quotes', to: () => "{'a':1}" },
  { what: 'a poisoned prototype', to: (text) => `{"__proto__":{"a":1},${text.slice(1)}` },
  {
    what: 'a poisoned constructor',
    to: (text) => `{"constructor":{"prototype":{}},${text.slice(1)}`,
  },
  { what: 'a list', to: (text) => `[${text}]` },
  { what: 'a text', to: () => '"text"' },
  { what: 'a number', to: () => '1e999' },
  { what: 'null', to: () => 'null' },
  { what: 'brackets without end', to: () => '['.repeat(30_000) },
  { what: 'very deep', to: () => '['.repeat(30_000) + ']'.repeat(30_000) },
  { what: 'a NUL character', to: (text) => text.replace('{', '{\u0000') },
];

/** By security scheme; undefined: none. No passwords, because only a few tries are allowed. */
export const oddKeys: Record<string, (string | undefined)[]> = {
  apiKey: [undefined, '', 'not-a-key', 'x'.repeat(2_000), "' or 1=1 --", 'sch\u00fcssel', ' '],
  operatorKey: [undefined, '', 'not-a-key', ' '],
  adminPassword: [undefined, '', 'Basic YTpi', 'Bearer'],
  roomToken: [undefined, '', 'Basic YTpi', 'Bearer', 'Bearer nobody'],
};
