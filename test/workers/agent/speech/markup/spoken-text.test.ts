import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SpokenText } from '../../../../../workers/agent/speech/markup/spoken-text.ts';

/** The lines that are spoken. */
function read(pieces: readonly string[]): string[] {
  const reader = new SpokenText();
  const text = pieces.map((piece) => reader.push(piece)).join('') + reader.end();
  return text
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter(Boolean);
}

const TABLE = ['| Lamp | Price |', '|:-----|------:|', '| *Brass* | 20 |', '| Tin | 5 |'].join(
  '\n',
);

const CASES: [string, string[]][] = [
  ['Plain text. And more, at 5 < 6!', ['Plain text. And more, at 5 < 6!']],
  [
    `Prices:\n\n${TABLE}\n\nAnything else?`,
    ['Prices:', 'Lamp: Brass, Price: 20.', 'Lamp: Tin, Price: 5.', 'Anything else?'],
  ],
  ['| | Monday |\n|---|---|\n| Open | yes |', ['Open, Monday: yes.']],
  ['| Brass | 20 |\n| Tin | 5 |', ['Brass, 20.', 'Tin, 5.']],
  ['|A|B|\n|-|-|\n|1|2|', ['A: 1, B: 2.']],
  ['| A | B |\n|---|---|\n| [x](https://e.org) | a \\| b |', ['A: x, B: a | b.']],
  ['Use a | b here.', ['Use a | b here.']],
  ['# Title\n\nText\n====\n## Part ##', ['Title', 'Text', 'Part']],
  ['- one\n* two\n+ three\n  - [x] four\n1. five', ['one', 'two', 'three', 'four', '1. five']],
  ['> said\n> > twice', ['said', 'twice']],
  ['a\n\n---\n***\n_ _ _\nb', ['a', 'b']],
  ['**Bold**, *soft*, __both__ and ***all***.', ['Bold, soft, both and all.']],
  ['snake_case_name and 2*3*4 stay.', ['snake_case_name and 2*3*4 stay.']],
  ['~~No~~ Yes, ==marked==.', ['Yes, marked.']],
  ['See [our site](https://example.org/a_(b)) now.', ['See our site now.']],
  ['![A lamp](https://example.org/x.png) shines.', ['A lamp shines.']],
  ['See https://www.example.org/shop?a=1&b=2. Bye.', ['See example.org. Bye.']],
  [
    'See <https://example.org/x> or [shop][1].\n\n[1]: https://example.org/shop',
    ['See example.org or shop.'],
  ],
  ['Nine[^1] o’clock[1][2].\n\n[^1]: By the clock.', ['Nine o’clock.']],
  ['True【4†source】.', ['True.']],
  ['Run `npm start` now.', ['Run npm start now.']],
  ['Like this:\n```python\nprint("hi | there")\n# no title\n```\nDone.', ['Like this:', 'Done.']],
  ['~~~\ncode\n~~~\nDone.', ['Done.']],
  ['A\n````\n```\ncode\n````\nB', ['A', 'B']],
  ['```\nnever closed', []],
  ['Hi :smile: there :+1: at 10:30:00.', ['Hi there at 10:30:00.']],
  ['Hi \u{1f44b}\u{1f3fd} there ❤️ 1️⃣ ©', ['Hi there 1 ©']],
  ['<p>One <b>two</b></p><p>three<br/>four</p>', ['One two', 'three', 'four']],
  ['<table><tr><td>Lamp</td><td>20</td></tr></table>', ['Lamp, 20']],
  ['One <!-- two --> three', ['One three']],
  ['One\n<!-- two\nthree -->\nfour', ['One', 'four']],
  ['<style>\np { color: red }\n</style>\nText', ['Text']],
  ['<speak>Wait <break time="1s"/>now.</speak>', ['Wait now.']],
  ['Tom &amp; Jerry&nbsp;&#8211; &lt;fun&gt;', ['Tom & Jerry – <fun>']],
  ['It is $x^2 + \\frac{1}{2}$ and costs $5 to $10.', ['It is x² + 1 / 2 and costs $5 to $10.']],
  ['So \\(a \\times b \\leq c\\).', ['So a × b ≤ c.']],
  ['$$\n\\sqrt{x}\n= 3\n$$\nDone.', ['√(x) = 3', 'Done.']],
  ['\\[\nE = mc^2\n\\]', ['E = mc²']],
  ['5 \\* 4 \\# 1', ['5 * 4 # 1']],
  [':::note\nCare.\n:::', ['Care.']],
  ['一。二。**三**。', ['一。二。三。']],
];

describe('spoken text', () => {
  test.each(CASES)('of %j is %j', (written, lines) => {
    expect(read([written])).toEqual(lines);
  });

  test.each(CASES)('is the same letter by letter: %j', (written, lines) => {
    expect(read(Array.from(written))).toEqual(lines);
  });

  test('is the same for any pieces', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CASES),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
        ([written, lines], sizes) => {
          const pieces: string[] = [];
          let at = 0;
          for (let i = 0; at < written.length; i += 1) {
            const size = sizes[i % sizes.length]!;
            pieces.push(written.slice(at, at + size));
            at += size;
          }

          expect(read(pieces)).toEqual(lines);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('of a table without bars at its ends is sentences, too', () => {
    expect(read(['Lamp | Price\n--- | ---\nBrass | 20\nTin | 5'])).toEqual([
      'Lamp: Brass, Price: 20.',
      'Lamp: Tin, Price: 5.',
    ]);
    expect(read(Array.from('Lamp | Price\n--- | ---\nBrass | 20\nTin | 5'))).toEqual([
      'Lamp',
      'Lamp: Brass, Price: 20.',
      'Lamp: Tin, Price: 5.',
    ]);
  });

  test('leaves sentence by sentence', () => {
    const reader = new SpokenText();

    const parts = ['We sell', ' lamps. ', 'And **sa', 'ils**. Both', ' are nice.'].map((piece) =>
      reader.push(piece),
    );

    expect(parts).toEqual(['We ', 'sell lamps. ', 'And ', 'sails. ', 'Both are ']);
    expect(reader.end()).toBe('nice.\n');
  });

  test.each([
    ['[', 50_000],
    ['<a ', 30_000],
    ['$x_', 30_000],
    ['**a ', 30_000],
    ['`a', 30_000],
    ['| ', 30_000],
    ['\\(a', 30_000],
    ['a. ', 30_000],
    ['![](', 30_000],
    ['<!--', 30_000],
  ])(
    'takes little time for hostile text: %j',
    (part, count) => {
      const reader = new SpokenText();
      const text = part.repeat(count);

      for (let at = 0; at < text.length; at += 20) reader.push(text.slice(at, at + 20));

      expect(reader.end().length).toBeLessThan(text.length + 2);
    },
    5_000,
  );
});
