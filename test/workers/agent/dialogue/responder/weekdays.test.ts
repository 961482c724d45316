import { expect, test } from 'vitest';
import { lexiconOf } from '../../../../../workers/agent/dialogue/responder/lexicon.ts';

const daysIn = (text: string, language: string) =>
  [0, 1, 2, 3, 4, 5, 6].filter((day) => lexiconOf(language).weekdays.in(text).has(day)).join('');

test.each([
  ['en', 'Open Monday to Friday, and on Sundays', '012346'],
  ['en', 'Tue-Thu: 9:00', '123'],
  ['en', 'Mon, Wed and Sat: closed', '025'],
  ['en', 'Saturday to Monday', '056'],
  ['en', 'daily', '0123456'],
  ['en', 'at weekends', '56'],
  ['en', 'The sun is out', ''],
  ['de', 'Das ist so ein Tag', ''],
  ['de', 'Mo–Fr und samstags', '012345'],
  ['fr', 'du mardi au samedi', '12345'],
  ['es', 'de lunes a jueves', '0123'],
  ['it', 'da martedì a domenica', '123456'],
  ['pt', 'segunda a sexta-feira', '01234'],
  ['nl', 'dinsdag tot en met zaterdag', '12345'],
  ['pl', 'od wtorku do niedzieli', '123456'],
  ['ja', '火曜日から日曜日', '123456'],
  ['zh', '周二至周日', '123456'],
])('%s: %s', (language, text, days) => {
  expect(daysIn(text, language)).toBe(days);
});
