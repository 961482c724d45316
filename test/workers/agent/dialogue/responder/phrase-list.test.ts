import { describe, expect, test } from 'vitest';
import { PhraseList } from '../../../../../workers/agent/dialogue/responder/phrase-list.ts';
import { plain } from '../../../../../workers/agent/dialogue/responder/plain-text.ts';

const list = new PhraseList('en', [
  ['card', 'card, cards'],
  ['voucher', 'gift card*'],
  ['mail', 'e mail*'],
  ['return', 'send~back'],
  ['park', '*park'],
]);
const found = (text: string) => [...list.take(plain(text)).ids];

describe('phrases in a text', () => {
  test.each([
    ['Do you take cards?', ['card']],
    ['Do you sell gift cards?', ['voucher']],
    ['What is your e-mail address?', ['mail']],
    ['I send the lamp back', ['return']],
    ['I send a very long letter to all of my friends and go back', []],
    ['the CarPark', ['park']],
    ['a cardigan', []],
  ])('%s', (text, ids) => {
    expect(found(text)).toEqual(ids);
  });

  test('are taken out of it as whole words', () => {
    expect(list.take(plain('Two gift cards, please')).rest.split(/ +/)).toEqual([
      '',
      'two',
      'please',
      '',
    ]);
  });
});
