import { afterEach, describe, expect, test, vi } from 'vitest';
import { callTexts } from '../../../../src/web/call/words/call-words.ts';
import {
  chooseLanguage,
  loadWords,
  type Language,
  type Texts,
} from '../../../../src/web/call/words/languages.ts';
import { whenText } from '../../../../src/web/call/texts/when-text.ts';
import { frontTexts } from '../../../../src/web/front/words/front-words.ts';
import { roomTexts } from '../../../../src/web/room/words/room-words.ts';

afterEach(() => vi.restoreAllMocks());

describe('the language of a visitor', () => {
  test.each([
    [['de-AT', 'en'], 'de'],
    [['sv', 'pl'], 'pl'],
    [['zh-TW'], 'zh'],
    [['PT_br'], 'pt'],
    [['en-GB', 'de'], 'en'],
    [['sv'], 'en'],
    [[''], 'en'],
    [[], 'en'],
  ])('is the first of %j that there is: %s', (wanted, language) => {
    expect(chooseLanguage(wanted)).toBe(language);
  });
});

const LANGUAGES = Object.keys(callTexts.others) as Exclude<Language, 'en'>[];
const TABLES: [string, Texts<object>][] = [
  ['call', callTexts],
  ['room page', roomTexts],
  ['front page', frontTexts],
];

/** All texts by their keys, those with names and times filled in. */
function textsIn(words: object, path = ''): [key: string, text: string][] {
  return Object.entries(words).flatMap(([name, value]): [string, string][] => {
    const key = `${path}${name}`;
    const shown: unknown = typeof value === 'function' ? value('NAME', 'TIME') : value;
    return typeof shown === 'string' ? [[key, shown]] : textsIn(shown as object, `${key}.`);
  });
}

describe.each(TABLES)('the texts of the %s', (_, texts) => {
  const english = new Map(textsIn(texts.en));

  test.each(LANGUAGES)('are complete in %s, and translated', async (language) => {
    const words = await loadWords(language, texts);

    expect((words as { language: string }).language.split('-')[0]).toBe(language);
    const all = textsIn(words);
    // Languages share short words.
    const own = all.filter(([key]) => english.get(key)!.length > 'Conversation'.length);
    expect(all.map(([key]) => key).toSorted()).toEqual([...english.keys()].toSorted());
    expect(own.length).toBeGreaterThan(10);
    for (const [key, text] of own) {
      expect(text, key).not.toBe(english.get(key));
      expect(text, key).not.toMatch(/undefined|\$\{|^$| {2}/);
    }
  });
});

const away = () => Promise.reject(new Error('away'));

test('texts that cannot be loaded are in English', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const others = { ...callTexts.others, de: away };

  expect(await loadWords('de', { ...callTexts, others })).toBe(callTexts.en);
});

test.each([
  ['en', 60, 'in 60 seconds'],
  ['de', 600, 'in 10 Minuten'],
  ['pl', 5 * 3_600, 'za 5 godzin'],
  ['pl', 1, 'za 1 sekundę'],
])('a time in the grammar of %s: %s s', (language, seconds, text) => {
  expect(whenText(language, seconds)).toBe(text);
});
