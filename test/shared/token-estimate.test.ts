import { describe, expect, test } from 'vitest';
import { estimateTokens, textWithin, tokenCounter } from '#shared/token-estimate.ts';

/** Tokens by cl100k_base or o200k_base, whichever has more. */
const measured: [script: string, text: string, tokens: number][] = [
  ['English', 'The library opens at nine in the morning, and closes at six in the evening.', 17],
  ['Finnish', 'Kirjasto aukeaa kello yhdeksän aamulla ja sulkeutuu kuudelta illalla.', 27],
  ['Russian', 'Библиотека открывается в девять утра и закрывается в шесть вечера.', 32],
  ['Chinese', '图书馆早上九点开门，晚上六点关门。', 22],
  ['Japanese', '図書館は朝九時に開いて、夕方六時に閉まります。', 31],
  ['Korean', '도서관은 아침 아홉 시에 열고 저녁 여섯 시에 닫습니다.', 29],
  ['Arabic', 'تفتح المكتبة في الساعة التاسعة صباحا وتغلق في الساعة السادسة مساء.', 44],
  ['Hindi', 'पुस्तकालय सुबह नौ बजे खुलता है और शाम छह बजे बंद होता है।', 62],
  ['Thai', 'ห้องสมุดเปิดเวลาเก้าโมงเช้าและปิดเวลาหกโมงเย็น', 45],
  ['Amharic', 'ቤተ መጻሕፍቱ ከጠዋቱ ሦስት ሰዓት ይከፈታል', 65],
  ['emoji', '😀🦄👩‍👩‍👧🇩🇪🏳️‍🌈', 33],
  ['random letters', 'xqzbkrvvjwpfhqmztdlgcnxbkq', 16],
  ['random base64', 'q7Zk9+Lw/2mXvT4RbY8cPdNeAj', 24],
  ['punctuation', '!?.,;:#%&/()=[]{}<>|~^?!;:', 17],
  ['rare characters', '𠀀𪛖𫝀𫠝𬺰', 19],
];

describe('estimate of tokens', () => {
  test.each(measured)('is of the right size for %s', (_script, text, tokens) => {
    const estimated = estimateTokens(text);

    expect(estimated).toBeGreaterThanOrEqual(tokens / 2.7);
    expect(estimated).toBeLessThanOrEqual(Buffer.byteLength(text));
  });

  test('is never below a third of the bytes, which no tokenizer exceeds', () => {
    for (const text of ['', 'a', 'é', 'あ', '😀', '\ud800', 'a é あ 😀'.repeat(100)])
      expect(estimateTokens(text) * 3).toBeGreaterThanOrEqual(Buffer.byteLength(text));
  });

  test.each(['plain words in a row', 'слова', '言葉を続ける', '😀😀😀😀'])(
    'cuts %s to a number of tokens, between characters',
    (text) => {
      const shortText = textWithin(text, 3);

      expect(estimateTokens(shortText)).toBeLessThanOrEqual(3);
      expect(shortText.isWellFormed() && text.startsWith(shortText)).toBe(true);
      expect(textWithin(text, 1_000)).toBe(text);
    },
  );
});

test('a text in pieces has as many tokens as the whole', () => {
  const count = tokenCounter();
  const text = 'It is four. \u0427\u0435\u0442\u044b\u0440\u0435. \u56db\u3002';

  const pieces = Array.from(text, (sign) => count(sign));

  expect(pieces.reduce((sum, tokens) => sum + tokens, 0)).toBe(estimateTokens(text));
});
